import { useState } from 'react'
import type { Need } from '../../src/domain/need.ts'
import { usePerform, useRead } from '../api.ts'
import { AnswerForm } from '../board/task/answer-form.tsx'
import { PlanCard } from '../chat/plan-card.tsx'
import { QuestionCard } from '../chat/question-card.tsx'
import { Changes } from '../jobs/changes.tsx'
import type { JobView } from '../jobs/job-view.ts'
import { StewardButtons } from '../jobs/steward-buttons.tsx'
import { RolesIn } from '../roles/role-badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { ErrorNote, Loading } from '../ui/status/notice.tsx'
import { CodeCard, RunQuestion } from '../workflows/run-question.tsx'

/** What a person needs to answer, and the place to do so, without going there. */
export function AnswerHere({ need }: { need: Need }) {
  const [, way, id = '', , task] = need.link.split('/')
  if (way === 'chat') return <InChat need={need} id={id} />
  if (way === 'jobs') return <InJob id={id} />
  if (way === 'board' && task !== undefined) return <InTask board={id} task={task} />
  if (way === 'workflows') return <InWorkflow run={need.link.slice(need.link.lastIndexOf('/') + 1)} />
  return <p className="text-soft">This is answered on the board itself.</p>
}

function InChat({ need, id }: { need: Need; id: string }) {
  const chat = useRead('chat.show', { chat: id })
  if (chat.isPending) return <Loading />
  if (chat.isError) return <ErrorNote error={chat.error} />
  return (
    <RolesIn value={chat.data.workspace}>
      {need.kind === 'plan' && <PlanCard chat={chat.data} planId={need.id} />}
      {need.kind === 'run' && <Continue chat={id} />}
      {need.kind !== 'plan' && need.kind !== 'run' && <QuestionCard chat={chat.data} questionId={need.id} />}
    </RolesIn>
  )
}

function Continue({ chat }: { chat: string }) {
  const resume = usePerform('chat.continue')
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="text-soft">Everything up to here is kept.</p>
      <Button look="primary" disabled={resume.isPending} onClick={() => resume.mutate({ chat })}>
        Continue
      </Button>
      {resume.isError && <ErrorNote error={resume.error} />}
    </div>
  )
}

function InJob({ id }: { id: string }) {
  const job = useRead('job.status', { job: id })
  if (job.isPending) return <Loading />
  if (job.isError) return <ErrorNote error={job.error} />
  const { doubts } = job.data
  return (
    <div className="flex flex-col gap-3">
      {job.data.job.reason_text !== '' && <p className="first-letter:uppercase">{job.data.job.reason_text}</p>}
      {doubts.length > 0 && <p className="text-warn">Before you approve: {doubts.join('; ')}.</p>}
      <StewardButtons view={job.data} />
      {job.data.job.base_commit !== null && <FoldedChanges view={job.data} />}
    </div>
  )
}

/** What there is to judge; read only when somebody looks. */
function FoldedChanges({ view }: { view: JobView }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-sm text-soft">What it changed</summary>
      <div className="pt-2">{open && <Changes view={view} />}</div>
    </details>
  )
}

function InTask({ board, task }: { board: string; task: string }) {
  const view = useRead('board.get_task', { board, task })
  if (view.isPending) return <Loading />
  if (view.isError) return <ErrorNote error={view.error} />
  return <AnswerForm boardId={board} task={view.data.task} roomy />
}

function InWorkflow({ run: id }: { run: string }) {
  const run = useRead('workflow.show_run', { run: id })
  if (run.isPending) return <Loading />
  if (run.isError) return <ErrorNote error={run.error} />
  const { question, play, confirmation } = run.data
  if (question !== null) return <RunQuestion key={question.id} run={run.data} question={question} />
  if (play === null && confirmation !== null) return <CodeCard confirmation={confirmation} />
  return <p className="text-soft">Continue it on its own page.</p>
}
