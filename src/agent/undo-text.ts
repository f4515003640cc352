import type * as z from 'zod'
import { counted } from '../domain/text/format.ts'
import type { CheckpointView, FileDiffs, GoneBack } from './undo.ts'

/** What going back did, as text. */
export function goneBackText({ checkpoint: number, files, conflicts, missing, left }: GoneBack): string {
  const words = { created: 'brought back', changed: 'put back', deleted: 'removed' }
  return [
    files.length === 0 ? 'Nothing to put back.' : `${counted(files.length, 'file')} ${number === null ? 'would be put back' : 'put back'}:`,
    ...files.map(({ path, change }) => `  ${path}  ${words[change]}`),
    ...(conflicts.length === 0 ? [] : [`Changed by someone else since: ${conflicts.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`Not kept: ${missing.join(', ')}`]),
    ...left.map(({ path, why }) => `  ${path}  left as it is: ${why}`),
    ...(number === null || files.length === 0 ? [] : [`To take this back, restore checkpoint ${number}.`]),
  ].join('\n')
}

/** Changed files as text: the counts, then each diff. */
export function changesText({ files }: z.infer<typeof FileDiffs>): string {
  if (files.length === 0) return 'Nothing is different.'
  const lines = files.map(({ path, change, added, removed }) => `${change.padEnd(7)}  +${added} -${removed}  ${path}`)
  return [...lines, ...files.flatMap(({ diff }) => (diff === '' ? [] : ['', diff.trimEnd()]))].join('\n')
}

/** A checkpoint as a line of a list. */
export function checkpointLine({ number, kind, at, files, undone }: CheckpointView): string {
  const what = kind === 'restore' ? 'went back' : undone ? 'undone' : 'turn'
  return `${number}  ${at.slice(0, 16).replace('T', ' ')}  ${what}  ${counted(files.length, 'file')}: ${files
    .slice(0, 5)
    .map(({ path }) => path)
    .join(', ')}`
}
