import { matchesGlob } from 'node:path'

const code =
  'astro bash c cc clj cljs cpp cr cs cxx d dart elm erl ex exs f90 fs go groovy h hpp hs java jl js jsx kt kts lua m mjs cjs ml mm mts cts nim php pl pm ps1 py r rb rs sc scala sh sol sql svelte swift ts tsx v vb vue zig'

/** What is taken for a test by its name, in the ways of the usual languages. */
const named: readonly RegExp[] = [
  /(^|\/)(tests?|__tests__|e2e|spec|testing|androidTest|integration-tests?)\/.*\.\w+$/i,
  /[._-](test|tests|spec|specs|e2e|cy)\.\w+$/i,
  /(^|\/)(test|tests)[._-][^/]+\.\w+$/i,
  /(^|\/)(test|tests)\.\w+$/i,
  /[a-z0-9](Test|Tests|TestCase|Spec|IT)\.(java|kt|kts|scala|groovy|cs|fs|vb|php|swift|m|hs)$/,
  /\.(feature|bats|t)$/,
]

/** Documents are no tests, wherever they lie. */
const document = /\.(md|mdx|txt|rst|adoc)$/i

/** Tests that stand beside the code in one file, by its language. */
const inline: Readonly<Record<string, RegExp>> = {
  rs: /#\[(\w+::)?test|#\[cfg\(test\)\]/,
  zig: /^\s*test\b/m,
  d: /\bunittest\b/,
  py: /^\s*>>> /m,
}

const codeNames = new Set(code.split(' '))

/** Whether a file is code, by its name: documents, settings and data are not. */
export function isCode(path: string): boolean {
  return codeNames.has(extensionOf(path))
}

/** Whether a file is a test by its name, or by the patterns a project adds, which are separated by spaces. */
export function isTest(path: string, patterns: string | null = null): boolean {
  const own = patterns?.split(/\s+/).filter((pattern) => pattern !== '') ?? []
  if (own.some((pattern) => matchesGlob(path, pattern))) return true
  return !document.test(path) && named.some((pattern) => pattern.test(path))
}

/** Whether added lines of a file hold a test of a language whose tests stand beside the code. */
export function holdsTest(path: string, added: string): boolean {
  return inline[extensionOf(path)]?.test(added) === true
}

function extensionOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
}
