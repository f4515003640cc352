import type { Driver } from '../store/driver.ts'
import { workflowRuns, workflowRunSteps } from '../store/tables.ts'
import { answerOf, describeDecision } from '../domain/workflow/answer.ts'
import { hiddenTexts, maskRoles } from '../domain/text/mask-role.ts'
import { readDone } from '../domain/workflow/completed.ts'
import { decideAfter } from '../domain/workflow/next.ts'
import type { WorkflowRun } from '../domain/workflow/run.ts'
import { pinnedWorkflow } from './files/versions.ts'

/** The latest runs, newest first. */
export async function listRuns(driver: Driver): Promise<ReturnType<typeof summary>[]> {
  return (await workflowRuns.items(driver, { order: ['-updated_at'], limit: 50 })).map(summary)
}

/** One run with its timeline. */
export async function runView(driver: Driver, id: string) {
  return workflowRunView(await recordOf(driver, id))
}

/** A run with all that is known of it: its workflow as it was pinned, what was done, and what comes next. */
export async function recordOf(driver: Driver, id: string) {
  const run = (await workflowRuns.get(driver, id)).item
  const workflow = await pinnedWorkflow(driver, run.workflow_hash)
  const answer = answerOf(workflow, describeDecision(decideAfter(workflow, readDone(workflow, run.completed), run.context), run.context))
  const done = await workflowRunSteps.items(driver, { where: { run_id: id }, order: ['number'] })
  return { run, workflow, answer, done }
}

/** What people see of it. */
export function workflowRunView({ run, workflow, answer: { user, missing }, done }: Awaited<ReturnType<typeof recordOf>>) {
  const asked = run.confirmation
  const hidden = hiddenTexts(workflow)
  return {
    ...summary(run),
    open: user,
    missing,
    confirmation: asked === null ? null : { title: user?.title ?? asked.key, output: maskRoles(asked.output, hidden), code: asked.code },
    steps: done.map(({ key, title, output, skipped, confirmed_by, at }) => {
      return { key, title, output: maskRoles(output, hidden), skipped, confirmed_by, at }
    }),
  }
}

function summary({ id, workflow_id, status, position, confirmation, started_at, updated_at }: WorkflowRun) {
  return { id, workflow_id, status, done: position, waits_for_confirmation: confirmation !== null, started_at, updated_at }
}
