import { Button } from '../form/button.tsx'
import { DiffBlock } from './diff-block.tsx'
import { FileHead, GapRow } from './diff-rows.tsx'
import type { DiffRow } from './rows.ts'
import type { DiffState } from './use-diff.ts'

/** One row of the list: the head of a file, some of its lines, or what is between them. */
export function Row({ row, state, split }: { row: DiffRow; state: DiffState; split: boolean }) {
  const { file } = row
  const { several, isOpen, fold, viewed, mark, expand, busy } = state
  if (row.kind === 'block') {
    return <DiffBlock file={file} block={row.block} split={split} notes={state.notesOf(file)} comments={state.comments} />
  }
  if (row.kind === 'gap') return <GapRow gap={row.gap} busy={busy} onExpand={(from, to) => expand(file, from, to)} />
  if (row.kind === 'note') {
    return (
      <p className="flex items-center gap-2 border-x border-line bg-surface px-3 py-2 text-xs text-soft">
        {row.text}
        {row.load && state.expandable && (
          <Button small disabled={busy} onClick={() => expand(file, 1, null)}>
            Show it
          </Button>
        )}
      </p>
    )
  }
  return (
    <FileHead
      file={file}
      open={isOpen(file.path)}
      onOpen={(now) => fold(file.path, now)}
      viewed={viewed.has(file.path)}
      onViewed={several ? (now) => mark(file.path, now) : null}
      notes={state.notesElsewhere(file).map(({ node }) => node)}
    />
  )
}

/** The last row of a file closes its frame. */
export function endOf(rows: readonly DiffRow[], at: number): string {
  const next = rows[at + 1]
  const last = rows[at]?.kind !== 'file' && (next === undefined || next.kind === 'file')
  return last ? 'overflow-hidden rounded-b-lg border-b border-line' : ''
}
