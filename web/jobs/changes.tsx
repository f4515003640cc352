import { perform, usePerformChosen, useRead } from '../api.ts'
import { CommentBar, commentsText } from '../ui/diff/comment-bar.tsx'
import { DiffView } from '../ui/diff/diff-view.tsx'
import { useLineComments } from '../ui/diff/line-comments.ts'
import { EmptyState, ErrorNote, Loading } from '../ui/status/notice.tsx'
import type { JobView } from './job-view.ts'

/** What a job has changed since its base, file by file; what a person says about lines goes back to the Worker. */
export function Changes({ view }: { view: JobView }) {
  const { id, moves } = view.job
  const diff = useRead('job.diff', { job: id })
  const comments = useLineComments(`job ${id}`)
  const send = usePerformChosen()
  const move = (['reject', 'resubmit'] as const).find((one) => view.possible_moves.includes(one))
  if (diff.isPending) return <Loading />
  if (diff.isError) return <ErrorNote error={diff.error} />
  const { files } = diff.data
  if (files.length === 0) return <EmptyState title="Nothing was changed">What the Worker changes shows up here, file by file.</EmptyState>
  const loadWhole = async (file: string) => (await perform('job.diff', { job: id, file })).files[0]?.patch ?? null
  const sendBack = (text: string) =>
    move === 'reject' ? perform('job.reject', { job: id, reason: text, moves }) : perform('job.resubmit', { job: id, note: text, moves })
  return (
    <div className="flex flex-col gap-3">
      <DiffView id={`job ${id}`} files={files} loadWhole={loadWhole} comments={comments} />
      <CommentBar
        comments={comments}
        act={move === 'reject' ? 'Send the phase back' : 'Send to the Worker'}
        about={move === undefined ? 'They are kept until the job waits for you.' : 'The Worker reads them in its next prompt.'}
        disabled={move === undefined || send.isPending}
        onSend={(ready) => send.mutate(() => sendBack(commentsText(ready)), { onSuccess: comments.clear })}
        error={send.error}
      />
    </div>
  )
}
