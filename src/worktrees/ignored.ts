import { join } from 'node:path'
import { removeFolder } from '../sandbox/files/remove-folder.ts'
import { secretRule } from '../sandbox/files/secret.ts'
import { gitText, LIST_BYTES } from './repository.ts'

/** With more entries than this nobody can tell which of them are new, and all stay. */
const MOST = 2_000

/** What git ignores in a worktree, a folder of such files as one entry; null where there is too much of it. */
export async function ignoredEntries(path: string): Promise<string[] | null> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'] as const
  const entries = (await gitText(path, args, { outputBytes: LIST_BYTES }))
    .split('\0')
    .filter((name) => name !== '' && !name.includes('\ufffd'))
  return entries.length > MOST ? null : entries
}

/** Removes what git ignores and was not there before. Secrets stay: no agent writes them, so a person put them there. */
export async function removeIgnored(path: string, before: readonly string[] | null): Promise<void> {
  const now = before === null ? null : await ignoredEntries(path)
  if (now === null) return
  const there = new Set(before)
  const added = now.filter((name) => !there.has(name) && secretRule(name.replace(/\/$/, ''), 'read') === null)
  await Promise.all(added.map((name) => removeFolder(join(path, name))))
}
