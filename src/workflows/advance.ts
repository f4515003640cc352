import type { Driver } from '../store/driver.ts'
import type { Stored } from '../store/collection.ts'
import { workflowRuns, workflowRunSteps } from '../store/tables.ts'
import { next as nextState } from '../domain/flow.ts'
import { Problem } from '../domain/problem.ts'
import { answerOf, tell, type Told } from '../domain/workflow-answer.ts'
import { judge } from '../domain/workflow-condition.ts'
import { type Completed, readCompleted, readDone, withDone } from '../domain/workflow-completed.ts'
import { confirmationsOf, decideAfter, type Instance } from '../domain/workflow-next.ts'
import { type Confirmation, type WorkflowRun, workflowRunFlow } from '../domain/workflow-run.ts'
import type { Workflow } from '../domain/workflow.ts'
import { callHash, type Handle, hashOf, newCode, readHandle, type RunAnswer, type RunCall, writeHandle } from './handle.ts'
import { checkContextSize } from './next.ts'
import { validateOutput } from './validate-output.ts'
import { pinnedWorkflow } from './versions.ts'

/** Takes the output of the open step and gives the next one. The same call again gives the same answer and changes nothing. */
export async function advanceRun(driver: Driver, call: RunCall, now: Date): Promise<RunAnswer> {
  const handle = readHandle(call.run)
  for (let tries = 0; ; tries++) {
    const was = await workflowRuns.get(driver, handle.id)
    const workflow = await pinnedWorkflow(driver, was.item.workflow_hash)
    if (handle.position > was.item.position) throw fromTheFuture(was.item, handle.position)
    if (handle.position < was.item.position && call.output !== undefined) return replay(driver, was.item, workflow, handle, call)
    try {
      return await advanceOnce(driver, was, workflow, handle.position < was.item.position ? { run: call.run } : call, now)
    } catch (error) {
      // Another client advanced the run between our reading and writing: look again, and the call is a repetition or a conflict.
      if (!(error instanceof Problem) || error.code !== 'conflict' || tries > 2) throw error
    }
  }
}

/** Answers a call that was answered before, with the answer that was given then. */
async function replay(driver: Driver, run: WorkflowRun, workflow: Workflow, handle: Handle, call: RunCall): Promise<RunAnswer> {
  const { item } = await workflowRunSteps.get(driver, writeHandle(handle))
  if (item.call_hash === callHash(call)) {
    return { ...answerOf(workflow, item.told), workflow, run: writeHandle({ ...handle, position: handle.position + 1 }) }
  }
  const current = writeHandle(run)
  throw new Problem('conflict', `this handle was used before with another output, and the run has moved on; its handle is now ${current}`, {
    details: { field: 'run', got: call.run, expected: current, closest: current },
  })
}

async function advanceOnce(driver: Driver, was: Stored<WorkflowRun>, workflow: Workflow, call: RunCall, now: Date): Promise<RunAnswer> {
  const run = { ...was.item, context: { ...was.item.context, ...call.context }, updated_at: now.toISOString() }
  checkContextSize(run.context)
  const before = readDone(workflow, run.completed)
  const decision = decideAfter(workflow, before, run.context)
  const told = { ...answerOf(workflow, tell(decision)), workflow, run: writeHandle(run) }
  if (call.output === undefined || decision.status !== 'step') {
    if (call.context !== undefined) await workflowRuns.replace(driver, was, { ...run, status: statusAfter(run, decision.status) })
    return told
  }
  const open = decision.next
  const refused = await refusal(open, run, call.output)
  if (refused !== null) return { ...told, ...refused }
  const leave = leaveFor(workflow, open, run, call, now)
  if (!leave.given) {
    await workflowRuns.replace(driver, was, { ...run, confirmation: leave.confirmation })
    return { ...told, status: 'confirmation_required', issues: leave.issues }
  }
  return record(driver, was, { run, before, workflow, open, call, confirmed_by: leave.by, skipped: skips(told), now })
}

async function refusal(open: Instance, run: WorkflowRun, output: string): Promise<Pick<Told, 'status' | 'issues'> | null> {
  const known = { ...run.context, ...open.loop?.variables }
  const { valid, issues } = await validateOutput(open.step.validationCriteria, output, known)
  return valid ? null : { status: 'invalid', issues }
}

type Leave = { given: true; by: string | null } | { given: false; confirmation: Confirmation; issues: string[] }

/** Whether a person has agreed to exactly this output. A condition nobody can judge is asked about: silence is not an answer. */
function leaveFor(workflow: Workflow, open: Instance, run: WorkflowRun, call: RunCall, now: Date): Leave {
  const output_hash = hashOf(call.output)
  const asked = run.confirmation
  // What a person was asked stays asked: an agent could else change the variable that asks for them.
  if (asked?.key !== open.key && !needsPerson(workflow, open, run)) return { given: true, by: null }
  const about = asked !== null && asked.key === open.key && asked.output_hash === output_hash
  if (about && call.confirmed_by !== undefined) return { given: true, by: call.confirmed_by }
  if (about && call.confirmation !== undefined && call.confirmation.trim().toUpperCase() === asked.code) return { given: true, by: 'code' }
  const issues = [
    call.confirmation === undefined
      ? 'A person must confirm this step before it counts as done.'
      : 'The confirmation code does not fit this output; codes are used once and hold for one output.',
  ]
  if (about && call.confirmation === undefined) return { given: false, confirmation: asked, issues }
  const confirmation = { key: open.key, output: call.output ?? '', output_hash, code: newCode(), asked_at: now.toISOString() }
  return { given: false, confirmation, issues }
}

function needsPerson(workflow: Workflow, open: Instance, { context }: WorkflowRun): boolean {
  const known = { ...context, ...open.loop?.variables }
  return confirmationsOf(workflow, open).some((wanted) => wanted === true || judge(wanted, known).holds !== false)
}

interface Done {
  run: WorkflowRun
  before: Completed
  workflow: Workflow
  open: Instance
  call: RunCall
  confirmed_by: string | null
  skipped: { step: string; why: string }[]
  now: Date
}

async function record(driver: Driver, was: Stored<WorkflowRun>, done: Done): Promise<RunAnswer> {
  const { run, before, workflow, open, call, confirmed_by, skipped, now } = done
  const completed = withDone(workflow, run.completed, open.key)
  const told = tell(decideAfter(workflow, readCompleted(workflow, [open.key], before), run.context))
  const status = statusAfter(run, told.status)
  const position = run.position + 1
  await driver.transaction(async (tx) => {
    await workflowRuns.replace(tx, was, { ...run, status, completed, position, confirmation: null })
    await workflowRunSteps.add(tx, {
      id: writeHandle(run),
      run_id: run.id,
      number: run.position,
      key: open.key,
      title: open.step.title,
      output: call.output ?? '',
      call_hash: callHash(call),
      context: call.context ?? {},
      skipped,
      told,
      confirmed_by,
      at: now.toISOString(),
    })
  })
  return { ...answerOf(workflow, told), workflow, run: writeHandle({ ...run, position }) }
}

function statusAfter({ status }: WorkflowRun, decided: Told['status']): WorkflowRun['status'] {
  return decided === 'complete' && status === 'active' ? nextState(workflowRunFlow, status, 'complete', 'runtime') : status
}

function skips({ trace }: Told): { step: string; why: string }[] {
  return trace.filter((line) => line.decision === 'skipped' || line.decision === 'loop_ended').map(({ step, why }) => ({ step, why }))
}

function fromTheFuture(run: WorkflowRun, position: number): Problem {
  return new Problem('bad_input', `this run has not come to position ${position}; its last handle ends in .${run.position}`, {
    details: { field: 'run', got: `.${position}`, expected: `.${run.position}`, closest: writeHandle(run) },
  })
}
