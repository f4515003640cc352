import { matchesGlob } from 'node:path'
import { isTest } from '../task/submit/tests-in-range.ts'

const EXTENSION = /\.(md|txt|json|ya?ml|toml|html?|css|scss|[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|swift|cpp|c|h|hpp|sh|sql|vue|svelte)$/

/** The files and folders that a scope names as belonging to the task; most scopes name none. */
export function pathsInScope(scope: string): string[] {
  const inside = scope.split(/\bOUT\s*:/i)[0] ?? ''
  const words = inside.split(/[\s,;()"'`]+/).map((word) => word.replace(/^\.\//, '').replace(/[.:!?]+$/, ''))
  return words.filter((word) => isPath(word)).map((word) => word.replace(/\/+$/, ''))
}

/** Changed files that lie outside what a scope names. Tests belong to every code task. */
export function filesBeyondScope(scope: string | null, files: readonly string[], testPaths: string | null): string[] {
  const named = pathsInScope(scope ?? '')
  if (named.length === 0) return []
  return files.filter((file) => !isTest(file, testPaths) && !named.some((path) => isWithin(file, path)))
}

function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`) || matchesGlob(file, path) || (!path.includes('/') && file.endsWith(`/${path}`))
}

/** Not a route such as /users, an address, or the name of a product such as Node.js. */
function isPath(word: string): boolean {
  if (word.startsWith('/') || word.includes('://') || /^[A-Z]\w*\.js$/.test(word)) return false
  return EXTENSION.test(word) || /^[\w.@-]+(\/[\w.@*-]+)*\/(\*\*?)?$/.test(word)
}
