import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../domain/problem.ts'
import { readPlainText } from '../sandbox/files/plain-text.ts'

/**
 * What a ref is at, read from git's own files: to start a git takes a hundred times as long. Null when there is no such ref,
 * undefined where refs are kept in another way or this one names another, so that git has to be asked.
 */
export function readRef(commonDir: string, ref: string): string | null | undefined {
  if (ref.includes('..') || !statSync(join(commonDir, 'refs', 'heads'), { throwIfNoEntry: false })?.isDirectory()) return undefined
  // In this order, as git does it: a ref that is packed meanwhile is in the packed ones before its own file goes.
  const own = readPlainText(join(commonDir, ref)).trim()
  if (own !== '') return isFullId(own) ? own : undefined
  const packed = readPlainText(join(commonDir, 'packed-refs'))
  return (
    packed
      .split('\n')
      .find((line) => line.slice(line.indexOf(' ') + 1) === ref)
      ?.split(' ')[0] ?? null
  )
}

/** The folders in which git keeps what it knows of each worktree. The one they lie in goes with the last of them. */
export function worktreeRecords(commonDir: string): string[] {
  const folder = join(commonDir, 'worktrees')
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Whether a name is the whole id of an object, so that it means the same for ever. */
export function isFullId(name: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)
}
