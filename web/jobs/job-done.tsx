import { CircleCheck, GitMerge } from 'lucide-react'
import { useState } from 'react'
import { counted, durationText, shortIds } from '../../src/domain/text/format.ts'
import { usePerform, useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { TextField } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { Money } from '../ui/text/figures.tsx'
import { Counts } from '../ui/diff/file-tree.tsx'
import type { JobView } from './job-view.ts'

/** The end of a job that succeeded: what came of it, what it took, and the way into a branch. */
export function JobDone({ view: { job, summary } }: { view: JobView }) {
  const diff = useRead('job.diff', { job: job.id })
  const files = diff.data?.files ?? []
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + (file[of] ?? 0), 0)
  return (
    <section aria-label="The job is done" className="flex flex-col gap-3 rounded-xl border border-good/40 bg-good-wash p-4">
      <p className="flex flex-wrap items-center gap-2">
        <CircleCheck size={16} className="text-good" aria-hidden />
        <strong className="font-medium">Done</strong>
        <span className="text-sm">
          {diff.data !== undefined && (
            <>
              {counted(files.length, 'file')} changed <Counts file={{ added: sum('added'), removed: sum('removed') }} /> ·{' '}
            </>
          )}
          {durationText(job.worked_ms)} · <Money spent={summary} />
        </span>
      </p>
      {job.merged_commit === null ? (
        <MergeForm id={job.id} suggested={job.base_branch ?? ''} />
      ) : (
        <p className="text-sm">
          Merged as <code className="font-mono text-xs">{shortIds(job.merged_commit)}</code>.
        </p>
      )}
    </section>
  )
}

/** A branch that somebody has checked out is never moved under them: the refusal says what to do instead. */
function MergeForm({ id, suggested }: { id: string; suggested: string }) {
  const merge = usePerform('job.merge')
  const [into, setInto] = useState(suggested)
  return (
    <Form onSubmit={() => merge.mutate({ job: id, into })} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <TextField label="Merge into the branch" value={into} onText={setInto} required spellCheck={false} />
        <Button type="submit" look="primary" icon={GitMerge} disabled={merge.isPending || into.trim() === ''}>
          Merge
        </Button>
      </div>
      {merge.isError && <ErrorNote error={merge.error} />}
    </Form>
  )
}
