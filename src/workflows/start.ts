import type { Driver } from '../store/driver.ts'
import { workflowRuns, workflowVersions } from '../store/tables.ts'
import { answerOf, describeDecision } from '../domain/workflow/answer.ts'
import { decideNext } from '../domain/workflow/next.ts'
import type { WorkflowRun } from '../domain/workflow/run.ts'
import type { CatalogueEntry } from './files/catalogue.ts'
import { newRunId, type RunAnswer, writeHandle } from './handle.ts'
import { checkContextSize } from './next.ts'

/** Starts a run of the workflow as it is now; later edits of its file do not touch it. */
export async function startWorkflowRun(
  driver: Driver,
  entry: CatalogueEntry,
  context: Record<string, unknown>,
  now: Date,
): Promise<RunAnswer> {
  const { workflow, hash } = entry
  checkContextSize(context)
  const decision = decideNext(workflow, [], context)
  const run: WorkflowRun = {
    id: newRunId(),
    workflow_id: workflow.id,
    workflow_hash: hash,
    status: decision.status === 'complete' ? 'completed' : 'active',
    position: 0,
    reopened: 0,
    completed: '',
    context,
    confirmation: null,
    started_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
  await driver.transaction(async (tx) => {
    if ((await workflowVersions.find(tx, hash)) === null) await workflowVersions.add(tx, { id: hash, workflow_id: workflow.id, workflow })
    await workflowRuns.add(tx, run)
  })
  return { ...answerOf(workflow, describeDecision(decision, context)), workflow, run: writeHandle(run), recorded: false }
}
