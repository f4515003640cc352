import type { Driver } from '../store/driver.ts'
import { workflowRuns, workflowRunSteps } from '../store/tables.ts'
import { answerOf, tell } from '../domain/workflow-answer.ts'
import { readDone } from '../domain/workflow-completed.ts'
import { decideAfter } from '../domain/workflow-next.ts'
import type { WorkflowRun } from '../domain/workflow-run.ts'
import type { UserView } from '../domain/workflow-view.ts'
import { pinnedWorkflow } from './versions.ts'

/** A run in a list, as people see it. */
export interface RunSummary {
  id: string
  workflow_id: string
  status: WorkflowRun['status']
  done: number
  waits_for_confirmation: boolean
  started_at: string
  updated_at: string
}

/** A run in full, as people see it: what is open, what was done, and the code to confirm with. */
export interface RunView extends RunSummary {
  open: UserView | null
  missing: readonly string[]
  confirmation: { title: string; output: string; code: string } | null
  steps: readonly RunStepView[]
}

export interface RunStepView {
  key: string
  title: string
  output: string
  skipped: readonly { step: string; why: string }[]
  confirmed_by: string | null
  at: string
}

/** The latest runs, newest first. */
export async function listRuns(driver: Driver, limit = 50): Promise<RunSummary[]> {
  return (await workflowRuns.items(driver, { order: ['-updated_at'], limit })).map(summary)
}

/** One run with its timeline. */
export async function runView(driver: Driver, id: string): Promise<RunView> {
  const run = (await workflowRuns.get(driver, id)).item
  const workflow = await pinnedWorkflow(driver, run.workflow_hash)
  const { user, missing } = answerOf(workflow, tell(decideAfter(workflow, readDone(workflow, run.completed), run.context)))
  const done = await workflowRunSteps.items(driver, { where: { run_id: id }, order: ['number'] })
  const asked = run.confirmation
  return {
    ...summary(run),
    open: user,
    missing,
    confirmation: asked === null ? null : { title: user?.title ?? asked.key, output: asked.output, code: asked.code },
    steps: done.map(({ key, title, output, skipped, confirmed_by, at }) => ({ key, title, output, skipped, confirmed_by, at })),
  }
}

function summary({ id, workflow_id, status, position, confirmation, started_at, updated_at }: WorkflowRun): RunSummary {
  return {
    id,
    workflow_id,
    status,
    done: position,
    waits_for_confirmation: confirmation !== null,
    started_at,
    updated_at,
  }
}
