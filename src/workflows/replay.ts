import type { Driver } from '../store/driver.ts'
import { workflowRunSteps } from '../store/tables.ts'
import { Problem } from '../domain/problem.ts'
import { answerOf } from '../domain/workflow-answer.ts'
import type { WorkflowRun } from '../domain/workflow-run.ts'
import type { Workflow } from '../domain/workflow.ts'
import { callHash, type Handle, type RunAnswer, type RunCall, writeHandle } from './handle.ts'

/** Answers a call that was answered before, with the answer that was given then. */
export async function replay(driver: Driver, run: WorkflowRun, workflow: Workflow, handle: Handle, call: RunCall): Promise<RunAnswer> {
  const { item } = await workflowRunSteps.get(driver, writeHandle(handle))
  if (item.call_hash === callHash(call)) {
    return { ...answerOf(workflow, item.told), workflow, run: writeHandle({ run: run.id, position: handle.position + 1 }) }
  }
  const current = writeHandle({ run: run.id, position: run.position })
  throw new Problem('conflict', `this handle was used before with another output, and the run has moved on; its handle is now ${current}`, {
    details: { field: 'run', got: call.run, expected: current, closest: current },
  })
}
