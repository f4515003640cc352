import { git } from '../sandbox/git.ts'
import { gitText } from './repository.ts'

/** One file of a range: how it changed and by how many lines; null for a binary file. */
export interface ChangedFile {
  path: string
  status: 'added' | 'changed' | 'deleted'
  added: number | null
  removed: number | null
}

const statuses: Record<string, ChangedFile['status']> = { A: 'added', D: 'deleted' }
const PATCH_BYTES = 2 * 1024 * 1024

/** The files that differ between two commits. A rename is a deletion and an addition: nothing is guessed. */
export async function changedFiles(root: string, base: string, head: string): Promise<ChangedFile[]> {
  const range = ['-z', '--no-renames', base, head] as const
  const named = await gitText(root, ['diff', '--name-status', ...range], { outputBytes: PATCH_BYTES })
  const counted = await gitText(root, ['diff', '--numstat', ...range], { outputBytes: PATCH_BYTES })
  const counts = new Map(counted.split('\0').filter(Boolean).map(countOf))
  const fields = named.split('\0')
  const files: ChangedFile[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [letter = '', path = ''] = [fields[at], fields[at + 1]]
    files.push({ path, status: statuses[letter] ?? 'changed', ...(counts.get(path) ?? { added: null, removed: null }) })
  }
  return files
}

function countOf(line: string): [string, { added: number | null; removed: number | null }] {
  const [added = '-', removed = '-', ...name] = line.split('\t')
  return [name.join('\t'), { added: count(added), removed: count(removed) }]
}

/** Git counts no lines of a binary file and prints a dash. */
function count(text: string): number | null {
  return text === '-' ? null : Number(text)
}

/** The whole difference between two commits as a patch; cut in the middle when it is very large. */
export async function patchBetween(root: string, base: string, head: string, paths: readonly string[] = []): Promise<string> {
  return gitText(root, ['diff', '--no-color', '--binary', base, head, '--', ...paths], { outputBytes: PATCH_BYTES })
}

/** The text of a file as it was in a commit, or null when it was not there. */
export async function fileAt(root: string, commit: string, path: string): Promise<string | null> {
  const shown = await git(root, ['show', `${commit}:${path}`], { outputBytes: PATCH_BYTES })
  return shown.exit_code === 0 ? shown.stdout : null
}
