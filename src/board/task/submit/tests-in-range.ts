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

/** Tests beside the code in one file, by its language. */
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

/** Whether added lines of a file hold a test of a language that keeps tests beside the code. */
export function holdsTest(path: string, added: string): boolean {
  return inline[extensionOf(path)]?.test(added) === true
}

function extensionOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
}

const EXTENSION = /\.(md|txt|json|ya?ml|toml|html?|css|scss|[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|swift|cpp|c|h|hpp|sh|sql|vue|svelte)$/

/** The files and folders that a scope names as belonging to the task; most scopes name none. */
export function pathsInScope(scope: string): string[] {
  const inside = scope.split(/\bOUT\s*:/i)[0] ?? ''
  const words = inside.split(/[\s,;()"'`]+/).map((word) => word.replace(/^\.\//, '').replace(/[.:!?]+$/, ''))
  return words.filter((word) => isPath(word)).map((word) => word.replace(/\/+$/, ''))
}

/** Changed files that lie outside what a scope names. Tests belong to every code task. */
export function filesBeyondScope(scope: string | null, files: readonly string[], testPaths: string | null): string[] {
  const inside = pathsInScope(scope ?? '')
  if (inside.length === 0) return []
  return files.filter((file) => !isTest(file, testPaths) && !inside.some((path) => isWithin(file, path)))
}

function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`) || matchesGlob(file, path) || (!path.includes('/') && file.endsWith(`/${path}`))
}

/** Not a route such as /users, an address, or the name of a product such as Node.js. */
function isPath(word: string): boolean {
  if (word.startsWith('/') || word.includes('://') || /^[A-Z]\w*\.js$/.test(word)) return false
  return EXTENSION.test(word) || /^[\w.@-]+(\/[\w.@*-]+)*\/(\*\*?)?$/.test(word)
}
