import type { ChangedFile, FilePatch } from '../domain/changed-file.ts'
import { gitText, LIST_BYTES } from './repository.ts'

const statuses: Record<string, ChangedFile['status']> = { A: 'added', D: 'deleted' }
const PATCH_BYTES = 2 * 1024 * 1024
const SHOWN_BYTES = 4 * 1024 * 1024
const ALL_LINES = '--unified=10000000'

/** The files that differ between two commits. A rename is a deletion and an addition: nothing is guessed. */
export async function changedFiles(root: string, base: string, head: string): Promise<ChangedFile[]> {
  const args = ['diff-tree', '-r', '--raw', '--numstat', '-z', '--no-renames', base, head] as const
  const fields = (await gitText(root, args, { outputBytes: LIST_BYTES })).split('\0').filter((field) => field !== '')
  const counts = new Map<string, Pick<ChangedFile, 'added' | 'removed'>>()
  const named: Pick<ChangedFile, 'path' | 'status'>[] = []
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? ''
    const letter = /^:.* (\w)$/.exec(field)?.[1] // the name of its file is the next field
    if (letter !== undefined) named.push({ path: fields[++at] ?? '', status: statuses[letter] ?? 'changed' })
    else counts.set(...countOf(field))
  }
  return named.map((file) => ({ ...file, ...(counts.get(file.path) ?? { added: null, removed: null }) }))
}

function countOf(line: string): [string, Pick<ChangedFile, 'added' | 'removed'>] {
  const [added = '-', removed = '-', ...name] = line.split('\t')
  return [name.join('\t'), { added: count(added), removed: count(removed) }]
}

/** Git counts no lines of a binary file and prints a dash. */
function count(text: string): number | null {
  return text === '-' ? null : Number(text)
}

/** The difference between two commits as people and models read it: of a binary file only that it differs, and cut in the middle when it is very large. */
export async function patchBetween(root: string, base: string, head: string): Promise<string> {
  return gitText(root, ['diff', '--no-color', base, head, '--'], { outputBytes: PATCH_BYTES })
}

/** Each file that differs between two commits, with its patch; of one that is named, all lines. What no longer fits is listed without its patch. */
export async function filePatches(root: string, base: string, head: string, only?: string): Promise<FilePatch[]> {
  const files = (await changedFiles(root, base, head)).filter(({ path }) => only === undefined || path === only)
  if (files.length === 0) return []
  const range = only === undefined ? [base, head] : [ALL_LINES, base, head, '--', `:(literal)${only}`]
  const args = ['diff-tree', '-r', '-p', '--no-color', '--no-renames', ...range] as const
  const whole = await gitText(root, args, { outputBytes: SHOWN_BYTES })
  const patches = whole.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '))
  // Cut in the middle, it ends in half a patch, which would show lines at the wrong numbers, and may lack some between.
  if (patches.length !== files.length || Buffer.byteLength(whole) >= SHOWN_BYTES) return files.map((file) => ({ ...file, patch: null }))
  return files.map((file, at) => ({ ...file, patch: patches[at] ?? null }))
}
