import { useMemo } from 'react'
import type { TaskView } from './task-view.ts'
import { counted, shortIds } from '../../../src/domain/text/format.ts'
import { perform, useRead } from '../../api.ts'
import { DiffView } from '../../ui/diff/diff-view.tsx'
import { EmptyState, ErrorNote, Loading } from '../../ui/status/notice.tsx'
import { BlockerNote, lineOf, type Blocker } from './blocker-note.tsx'

/** What the work changed, from its base to what is under review, with the last findings at their lines. */
export function TaskWork({ boardId, view }: { boardId: string; view: TaskView }) {
  const task = view.task.id
  const diff = useRead('board.get_task_diff', { board: boardId, task })
  const blockers = useMemo(() => lastBlockers(view.verdicts), [view.verdicts])
  const notes = useMemo(() => blockers.map(noteOf), [blockers])
  if (diff.isPending) return <Loading />
  if (diff.isError) return <ErrorNote error={diff.error} />
  const { base, head, files } = diff.data
  if (head === null || files.length === 0) {
    return <EmptyState title="No work to show yet">What a coder commits on {view.branch} shows up here, file by file.</EmptyState>
  }
  const elsewhere = blockers.filter(({ file }) => !files.some(({ path }) => path === file))
  const loadWhole = async (file: string) => (await perform('board.get_task_diff', { board: boardId, task, file })).files[0]?.patch ?? null
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-soft">
        {counted(files.length, 'file')} from <code className="font-mono">{shortIds(base ?? '')}</code> to{' '}
        <code className="font-mono">{shortIds(head)}</code>
        {blockers.length > 0 && `; ${counted(blockers.length, 'finding')} of the last rejection`}
      </p>
      {elsewhere.map((blocker) => (
        <BlockerNote key={blocker.id} blocker={blocker} whole />
      ))}
      <DiffView id={`task ${boardId} ${task}`} files={files} loadWhole={loadWhole} notes={notes} />
    </div>
  )
}

/** A finding that names no line is told at the head of its file. */
function noteOf(blocker: Blocker) {
  return {
    path: blocker.file,
    line: lineOf(blocker) ?? 0,
    node: <BlockerNote key={blocker.id} blocker={blocker} whole={lineOf(blocker) === null} />,
  }
}

/** The findings of the newest verdict, if it was a rejection. */
function lastBlockers(verdicts: TaskView['verdicts']): readonly Blocker[] {
  const newest = verdicts[0]?.verdict
  return newest?.verdict === 'REJECTED' ? newest.blockers : []
}
