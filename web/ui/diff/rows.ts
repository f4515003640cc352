import { getCollapsedLinesCountBetween, type ChangeData, type HunkData } from 'react-diff-view'
import type { DiffFile } from './diff-file.ts'

/** Lines that are drawn together: few enough to be drawn within a frame, enough to be highlighted as one text. */
const LINES_OF_A_BLOCK = 20

/** Lines left out between two parts of a file, by their numbers in the old file; `to` is null where the end is not known. */
export interface Gap {
  from: number
  to: number | null
}

/** What the list of a diff draws, one under the other. */
export type DiffRow =
  | { kind: 'file'; file: DiffFile; key: string }
  | { kind: 'gap'; file: DiffFile; gap: Gap; key: string }
  | { kind: 'block'; file: DiffFile; block: HunkData; key: string }
  | { kind: 'note'; file: DiffFile; text: string; load: boolean; key: string }

/** The rows of one file: its head, and below it its parts with what is left out between them. */
export function rowsOfFile(
  file: DiffFile,
  hunks: readonly HunkData[],
  shown: { open: boolean; expandable: boolean; lines: number | null },
): DiffRow[] {
  const head: DiffRow = { kind: 'file', file, key: file.path }
  if (!shown.open) return [head]
  const { text, load } = whyEmpty(file, hunks)
  if (text !== null) return [head, { kind: 'note', file, text, load, key: `${file.path} note` }]
  const rows: DiffRow[] = [head]
  const addGap = (from: number, to: number | null) =>
    shown.expandable && (to === null || to >= from) && rows.push({ kind: 'gap', file, gap: { from, to }, key: `${file.path} gap ${from}` })
  hunks.forEach((hunk, at) => {
    const previous = hunks[at - 1] ?? null
    if (getCollapsedLinesCountBetween(previous, hunk) > 0)
      addGap(previous === null ? 1 : previous.oldStart + previous.oldLines, hunk.oldStart - 1)
    for (const block of blocksOf(hunk))
      rows.push({ kind: 'block', file, block, key: `${file.path} ${block.oldStart} ${block.newStart} ${block.changes.length}` })
  })
  const last = hunks.at(-1)
  if (last && file.status === 'changed') addGap(last.oldStart + last.oldLines, shown.lines)
  return rows
}

function whyEmpty(file: DiffFile, hunks: readonly HunkData[]): { text: string | null; load: boolean } {
  if (file.added === null) return { text: 'A binary file. Its content is not shown.', load: false }
  if (file.patch === null) return { text: 'This file is too large to be shown with the others.', load: true }
  if (hunks.length > 0) return { text: null, load: false }
  return { text: file.status === 'added' ? 'An empty file.' : 'No line changed: only its mode, or its content is not shown.', load: false }
}

/** A long hunk in pieces. A run of deletions keeps the insertions that follow it, so that they face each other. */
function blocksOf(hunk: HunkData): HunkData[] {
  if (hunk.changes.length <= LINES_OF_A_BLOCK * 2) return [hunk]
  const blocks: HunkData[] = []
  let { oldStart, newStart } = hunk
  let begun = 0
  for (let at = 1; at <= hunk.changes.length; at++) {
    if (at < hunk.changes.length && !mayCut(hunk.changes, begun, at)) continue
    const block = piece(hunk, hunk.changes.slice(begun, at), oldStart, newStart)
    oldStart += block.oldLines
    newStart += block.newLines
    blocks.push(block)
    begun = at
  }
  return blocks
}

function mayCut(changes: readonly ChangeData[], begun: number, at: number): boolean {
  if (at - begun < LINES_OF_A_BLOCK) return false
  const rewritten = changes[at]?.type !== 'normal' && changes[at - 1]?.type !== changes[at]?.type
  return !rewritten || at - begun >= LINES_OF_A_BLOCK * 4
}

function piece(hunk: HunkData, changes: ChangeData[], oldStart: number, newStart: number): HunkData {
  const oldLines = changes.filter(({ type }) => type !== 'insert').length
  const newLines = changes.filter(({ type }) => type !== 'delete').length
  return { ...hunk, content: '', changes, oldStart, newStart, oldLines, newLines }
}
