import { useMemo } from 'react'
import type { TaskView } from './task-view.ts'
import { counted, shortIds } from '../../../src/domain/text/format.ts'
import { perform, usePerform, useRead } from '../../api.ts'
import { CommentBar } from '../../ui/diff/comment-bar.tsx'
import { DiffView } from '../../ui/diff/diff-view.tsx'
import { useLineComments, type LineComment } from '../../ui/diff/line-comments.ts'
import { EmptyState, ErrorNote, Loading } from '../../ui/status/notice.tsx'
import { BlockerNote, lineOf, type Blocker } from './blocker-note.tsx'

/** What the work changed, from its base to what is under review, with the last findings at their lines. */
export function TaskWork({ boardId, view }: { boardId: string; view: TaskView }) {
  const task = view.task.id
  const diff = useRead('board.get_task_diff', { board: boardId, task })
  const comments = useLineComments(`task ${boardId} ${task}`, { asksFix: true })
  const reject = usePerform('board.reject_task')
  const mayReject = view.moves.includes('reject')
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
      <DiffView id={`task ${boardId} ${task}`} files={files} loadWhole={loadWhole} notes={notes} comments={comments} />
      <CommentBar
        comments={comments}
        act="Reject with these findings"
        about={mayReject ? 'They bind the next attempt like those of a reviewer.' : 'They are kept until the task is under review.'}
        disabled={!mayReject || reject.isPending}
        onSend={(ready) =>
          reject.mutate({ board: boardId, task, review_commit: head, findings: ready.map(findingOf) }, { onSuccess: comments.clear })
        }
        error={reject.error}
      />
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

/** A comment of a person as a finding; a deleted line is named as one. */
function findingOf({ path, line, side, text, fix }: LineComment) {
  return { file: path, location: side === 'old' ? `deleted line ${line}` : `${line}`, defect: text, fix }
}

/** The findings of the newest verdict, if it was a rejection. */
function lastBlockers(verdicts: TaskView['verdicts']): readonly Blocker[] {
  const newest = verdicts[0]?.verdict
  return newest?.verdict === 'REJECTED' ? newest.blockers : []
}
