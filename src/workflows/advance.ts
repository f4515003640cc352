import type { Driver } from '../store/driver.ts'
import type { Stored } from '../store/collection.ts'
import { workflowRuns, workflowRunSteps } from '../store/tables.ts'
import { canonicalJson } from '../domain/text/canonical-json.ts'
import { nextState } from '../domain/flow.ts'
import { Problem } from '../domain/problem.ts'
import { answerOf, describeDecision, type DescribedDecision } from '../domain/workflow/answer.ts'
import { type Context, judgeCondition } from '../domain/workflow/condition.ts'
import { type Completed, readCompleted, readDone, withDone } from '../domain/workflow/completed.ts'
import { confirmationsOf, decideAfter, type Instance } from '../domain/workflow/next.ts'
import { type Confirmation, type WorkflowRun, workflowRunFlow } from '../domain/workflow/run.ts'
import type { Workflow } from '../domain/workflow/workflow.ts'
import { callHash, type Handle, hashOf, newCode, readHandle, type RunAnswer, type RunCall, writeHandle } from './handle.ts'
import { checkContextSize } from './next.ts'
import { validateOutput } from './validate-output.ts'
import { pinnedWorkflow } from './files/versions.ts'

/**
 * Takes the output of the open step and gives the next one. The same call again gives the same answer and changes nothing.
 * An output belongs to the step that was handed out with its handle; the context that travels with it decides only what comes next.
 */
export async function advanceRun(driver: Driver, call: RunCall, now: Date): Promise<RunAnswer> {
  const handle = readHandle(call.run)
  for (let tries = 0; ; tries++) {
    const was = await workflowRuns.get(driver, handle.id)
    const workflow = await pinnedWorkflow(driver, was.item.workflow_hash)
    const behind = was.item.position - handle.position || was.item.reopened - handle.reopened
    if (behind < 0) throw fromTheFuture(was.item, handle)
    if (behind > 0 && call.output !== undefined) return replay(driver, was.item, workflow, handle, call)
    try {
      return await advanceOnce(driver, was, workflow, was.item.position > handle.position ? { run: call.run } : call, now)
    } catch (error) {
      // Another client advanced the run between our reading and writing: look again, and the call is a repetition or a conflict.
      if (!(error instanceof Problem) || error.code !== 'conflict' || tries > 2) throw error
    }
  }
}

/** Answers a call that was answered before, with the answer that was given then. */
async function replay(driver: Driver, run: WorkflowRun, workflow: Workflow, handle: Handle, call: RunCall): Promise<RunAnswer> {
  const done = await workflowRunSteps.find(driver, writeHandle(handle))
  if (done === null) return notRecorded(openStep(workflow, run).told)
  if (done.item.call_hash === callHash(call)) {
    const next = writeHandle({ ...handle, position: handle.position + 1, reopened: 0 })
    return { ...answerOf(workflow, done.item.told), workflow, run: next, recorded: true }
  }
  const current = writeHandle(run)
  throw new Problem('conflict', `this handle was used before with another output, and the run has moved on; its handle is now ${current}`, {
    details: { field: 'run', got: call.run, expected: current, closest: current },
  })
}

/** What was handed out last: decided with what was known then. */
function openStep(workflow: Workflow, run: WorkflowRun) {
  const before = readDone(workflow, run.completed)
  const decision = decideAfter(workflow, before, run.context)
  const told: RunAnswer = {
    ...answerOf(workflow, describeDecision(decision, run.context)),
    workflow,
    run: writeHandle(run),
    recorded: false,
  }
  return { before, told, open: decision.status === 'step' ? decision.next : null }
}

async function advanceOnce(driver: Driver, was: Stored<WorkflowRun>, workflow: Workflow, call: RunCall, now: Date): Promise<RunAnswer> {
  const { item: run } = was
  const { before, told, open } = openStep(workflow, run)
  if (open === null || call.output === undefined) {
    const answer = await takeContext(driver, was, { before, told }, call.context, now)
    return call.output === undefined ? answer : notRecorded(answer)
  }
  const given = { ...waitingContext(run, open.key), ...call.context }
  const after = { ...run.context, ...given }
  checkContextSize(after)
  // A rule may test a variable that this very step sets; what was known before stays as it was.
  const refused = await refusal(open, { ...given, ...run.context }, call.output)
  if (refused !== null) return { ...told, ...refused }
  const leave = leaveFor(workflow, open, run, { call, given, after }, now)
  if (!leave.given) {
    await workflowRuns.replace(driver, was, { ...run, confirmation: leave.confirmation, updated_at: now.toISOString() })
    return { ...told, status: 'confirmation_required', issues: leave.issues }
  }
  return record(driver, was, {
    before,
    workflow,
    open,
    call,
    given,
    confirmed_by: leave.by,
    skipped: skips(told),
    title: told.user?.title ?? open.step.title,
    now,
  })
}

/** Takes new context without an output. It may open another step, which then has a handle of its own. */
async function takeContext(
  driver: Driver,
  was: Stored<WorkflowRun>,
  { before, told }: { before: Completed; told: RunAnswer },
  added: RunCall['context'],
  now: Date,
): Promise<RunAnswer> {
  const { item: run } = was
  if (added === undefined || run.status === 'completed') return told
  const updated_at = now.toISOString()
  if (run.confirmation !== null && run.confirmation.key === told.key) {
    // A person is asked about this step: a variable must not take it from under them.
    const confirmation = { ...run.confirmation, context: { ...run.confirmation.context, ...added } }
    checkContextSize({ ...run.context, ...confirmation.context })
    await workflowRuns.replace(driver, was, { ...run, confirmation, updated_at })
    return { ...told, status: 'confirmation_required', issues: [`${WAITS} The context is kept until then.`] }
  }
  const context = { ...run.context, ...added }
  checkContextSize(context)
  const after = describeDecision(decideAfter(told.workflow, before, context), context)
  const reopened = run.reopened + (isSameStep(told, after) ? 0 : 1)
  await workflowRuns.replace(driver, was, { ...run, context, reopened, updated_at, status: statusAfter(run, after.status) })
  return { ...told, ...answerOf(told.workflow, after), run: writeHandle({ ...run, reopened }) }
}

const WAITS = 'A person must confirm this step before it counts as done.'

function isSameStep(one: DescribedDecision, other: DescribedDecision): boolean {
  return canonicalJson([one.key, one.loop, one.values]) === canonicalJson([other.key, other.loop, other.values])
}

function notRecorded(answer: RunAnswer): RunAnswer {
  const why = 'The output was not recorded: the step it was made for is not open, or none was. What is open now is in this answer.'
  return { ...answer, issues: [...answer.issues, why] }
}

/** The variables of an output that waits for a person; they would be lost if its confirmation had to repeat them. */
function waitingContext({ confirmation }: WorkflowRun, key: string): Record<string, unknown> {
  return confirmation?.key === key ? confirmation.context : {}
}

async function refusal(open: Instance, context: Context, output: string): Promise<Pick<DescribedDecision, 'status' | 'issues'> | null> {
  const known = { ...context, ...open.loop?.variables }
  const { valid, issues } = await validateOutput(open.step.validationCriteria, output, known)
  return valid ? null : { status: 'invalid', issues }
}

type Leave = { given: true; by: string | null } | { given: false; confirmation: Confirmation; issues: string[] }

interface Handed {
  call: RunCall
  given: Record<string, unknown>
  after: Context
}

/** Whether a person has agreed to exactly this output. A condition nobody can judge is asked about: silence is not an answer. */
function leaveFor(workflow: Workflow, open: Instance, run: WorkflowRun, { call, given, after }: Handed, now: Date): Leave {
  const output_hash = hashOf(call.output)
  const asked = run.confirmation?.key === open.key ? run.confirmation : null
  // What a person was asked stays asked, and new context can only add a person: an agent could else change the variable that asks for them.
  if (asked === null && ![run.context, after].some((context) => needsPerson(workflow, open, context))) return { given: true, by: null }
  const about = asked !== null && asked.output_hash === output_hash
  if (about && call.confirmed_by !== undefined) return { given: true, by: call.confirmed_by }
  if (about && call.confirmation !== undefined && call.confirmation.trim().toUpperCase() === asked.code) return { given: true, by: 'code' }
  const issues = [
    call.confirmation === undefined
      ? WAITS
      : 'The confirmation code does not fit this output; codes are used once and hold for one output.',
  ]
  const code = about && call.confirmation === undefined ? asked.code : newCode()
  const asked_at = about ? asked.asked_at : now.toISOString()
  return { given: false, confirmation: { key: open.key, output: call.output ?? '', output_hash, code, context: given, asked_at }, issues }
}

function needsPerson(workflow: Workflow, open: Instance, context: Context): boolean {
  const known = { ...context, ...open.loop?.variables }
  return confirmationsOf(workflow, open).some((wanted) => wanted === true || judgeCondition(wanted, known).holds !== false)
}

interface Done {
  before: Completed
  workflow: Workflow
  open: Instance
  call: RunCall
  given: Record<string, unknown>
  confirmed_by: string | null
  /** With its placeholders filled, as it was handed out. */
  title: string
  skipped: { step: string; why: string }[]
  now: Date
}

async function record(driver: Driver, was: Stored<WorkflowRun>, done: Done): Promise<RunAnswer> {
  const { before, workflow, open, call, given, confirmed_by, title, skipped, now } = done
  const at = now.toISOString()
  const { item: run } = was
  const context = { ...run.context, ...given }
  const told = describeDecision(decideAfter(workflow, readCompleted(workflow, [open.key], before), context), context)
  const next = {
    ...run,
    context,
    status: statusAfter(run, told.status),
    completed: withDone(workflow, run.completed, open.key),
    position: run.position + 1,
    reopened: 0,
    confirmation: null,
    updated_at: at,
  }
  await driver.transaction(async (tx) => {
    await workflowRuns.replace(tx, was, next)
    await workflowRunSteps.add(tx, {
      id: writeHandle(run),
      run_id: run.id,
      number: run.position,
      key: open.key,
      title,
      output: call.output ?? '',
      call_hash: callHash(call),
      context: given,
      skipped,
      told,
      confirmed_by,
      at,
    })
  })
  return { ...answerOf(workflow, told), workflow, run: writeHandle(next), recorded: true }
}

function statusAfter({ status }: WorkflowRun, decided: DescribedDecision['status']): WorkflowRun['status'] {
  return decided === 'complete' && status === 'active' ? nextState(workflowRunFlow, status, 'complete', 'runtime') : status
}

function skips({ trace }: DescribedDecision): { step: string; why: string }[] {
  return trace.filter((line) => line.decision === 'skipped' || line.decision === 'loop_ended').map(({ step, why }) => ({ step, why }))
}

function fromTheFuture(run: WorkflowRun, handle: Handle): Problem {
  const [got, expected] = [handle, run].map((one) => writeHandle(one).slice(one.id.length))
  return new Problem('bad_input', `this run has not come to ${got}; its last handle ends in ${expected}`, {
    details: { field: 'run', got, expected, closest: writeHandle(run) },
  })
}
