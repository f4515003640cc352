import { parseDiff, type HunkData } from 'react-diff-view'
import { showTextDirection } from '../../../src/domain/text/hidden-character.ts'

/** One file as a diff shows it. */
export interface DiffFile {
  path: string
  status: 'added' | 'changed' | 'deleted'
  /** Null for a binary file. */
  added: number | null
  removed: number | null
  /** Null where it is too large to come with the others. */
  patch: string | null
}

/** How a library names what became of a file. */
export const diffTypes = { added: 'add', changed: 'modify', deleted: 'delete' } as const

/** The parts of a patch. Only its hunks count: headers differ by who wrote them, and none is needed. Marks that turn text are made visible. */
export function hunksOf(patch: string): HunkData[] {
  const from = patch.search(/^@@ /m)
  if (from === -1) return []
  const body = showTextDirection(patch.slice(from))
  return parseDiff(`diff --git a/f b/f\nindex 0000000..1111111 100644\n--- a/f\n+++ b/f\n${body}`)[0]?.hunks ?? []
}

/** The lines of the file as it was, from a patch that shows all of them. */
export function oldLinesOf(hunks: readonly HunkData[]): string[] {
  return hunks.flatMap(({ changes }) => changes.filter(({ type }) => type !== 'insert').map(({ content }) => content))
}

/** A patch on its own, such as of one call: its counts are those of its lines. */
export function fileOf(path: string, patch: string): DiffFile {
  const changes = hunksOf(patch).flatMap((hunk) => hunk.changes)
  const count = (type: string) => changes.filter((change) => change.type === type).length
  const status = /^(--- \/dev\/null|@@ -0,0 )/m.test(patch)
    ? 'added'
    : /^(\+\+\+ \/dev\/null|@@ -\S+ \+0,0 )/m.test(patch)
      ? 'deleted'
      : 'changed'
  return { path, status, added: count('insert'), removed: count('delete'), patch }
}
