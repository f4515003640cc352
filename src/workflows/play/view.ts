import * as z from 'zod'
import { isLeased } from '../../agent/run/lease.ts'
import { usageOf } from '../../agent/limits.ts'
import { Usage } from '../../domain/entry.ts'
import { hiddenTexts, maskRoles } from '../../domain/text/mask-role.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Permission } from '../../domain/permission.ts'
import { Question } from '../../domain/question.ts'
import { DescribedDecision } from '../../domain/workflow/answer.ts'
import { runStanding, WorkflowPlay, type WorkflowPlayStep } from '../../domain/workflow/play.ts'
import { WorkflowRun, WorkflowRunStep } from '../../domain/workflow/run.ts'
import { StepUserView, WorkflowOutline, workflowUserView } from '../../domain/workflow/view.ts'
import type { Driver } from '../../store/driver.ts'
import { runs, workflowPlays, workflowPlaySteps, workflowRuns } from '../../store/tables.ts'
import type { WorkflowContext } from '../context.ts'
import { runIdOf, writeHandle } from '../handle.ts'
import { waitingQuestion } from './question.ts'
import { listRuns, recordOf, workflowRunView } from '../runs.ts'
import { pinnedWorkflow } from '../files/versions.ts'

const PlaySummary = WorkflowPlay.pick({ agent_role: true, model: true, workspace: true, status: true, reason: true, message: true }).extend(
  { at_work: z.boolean() },
)

/** A run in a list; `play` is null when an outside client carries it out. */
export type WorkflowRunSummary = z.infer<typeof WorkflowRunSummary>
const WorkflowRunSummary = WorkflowRun.pick({ id: true, workflow_id: true, status: true, started_at: true, updated_at: true }).extend({
  name: z.string(),
  done: z.int(),
  waits_for_confirmation: z.boolean(),
  play: PlaySummary.nullable(),
})

const Decisions = DescribedDecision.shape.trace
const Played = z.object({
  agent_role: z.string().nullable(),
  capped: z.array(Permission),
  refusals: z.array(z.object({ issues: z.array(z.string()), at: z.iso.datetime() })),
  /** The agent's runs on it, the last of which counts. */
  runs: z.array(z.string()),
})

/** A run in full: what was done and why, what is open, and what waits for a person. */
export type WorkflowRunView = z.infer<typeof WorkflowRunView>
const WorkflowRunView = WorkflowRunSummary.extend({
  workflow: WorkflowOutline,
  context: z.record(z.string(), z.unknown()),
  play: PlaySummary.extend({ usage: Usage, turns: z.int() }).nullable(),
  question: Question.nullable(),
  open: StepUserView.omit({ audience: true }).nullable(),
  missing: z.array(z.string()),
  confirmation: z.object({ title: z.string(), output: z.string(), code: z.string() }).nullable(),
  steps: z.array(
    WorkflowRunStep.pick({ key: true, title: true, output: true, confirmed_by: true, at: true }).extend({
      decisions: Decisions,
      ...Played.shape,
    }),
  ),
  current: Played.extend({ decisions: Decisions }).nullable(),
})

export const listWorkflowRuns = defineOperation({
  name: 'workflow.list_runs',
  summary: 'List the latest workflow runs and their states, newest first',
  by: ['person'],
  effect: 'read',
  command: 'workflow runs',
  input: z.strictObject({}),
  output: z.object({ runs: z.array(WorkflowRunSummary) }),
  example: {},
  tell: ({ runs: found }) => found.map((run) => `${run.id} ${run.workflow_id}: ${runStanding(run)}`).join('\n') || 'No run yet.',
  run: async ({ store }: WorkflowContext) => {
    const driver = await store()
    const found = await listRuns(driver)
    const named = found.map(async (run) => {
      const { name } = await pinnedWorkflow(driver, (await workflowRuns.get(driver, run.id)).item.workflow_hash)
      const play = (await workflowPlays.find(driver, run.id))?.item ?? null
      return { ...run, name, play: play && (await playSummary(driver, play)) }
    })
    return { runs: await Promise.all(named) }
  },
})

/** How every operation names a run. */
export const RunName = z.string().max(200).describe('the id of a run, or any of its handles')

export const showWorkflowRun = defineOperation({
  name: 'workflow.show_run',
  summary: 'Show a run with its steps, what is open, and the code that confirms the open one',
  by: ['person'],
  effect: 'read',
  command: 'workflow status <run>',
  input: z.strictObject({ run: RunName }),
  output: WorkflowRunView,
  example: { run: 'wf_Zk3vQ0aXn7Lr2mTc5YbPd8Ws' },
  tell: (run) => `${run.name}: ${runStanding(run)}`,
  run: async ({ store }: WorkflowContext, { run }) => viewPlay(await store(), runIdOf(run)),
})

/** A run as people see it: the workflow as it was pinned, what was done and decided, what is open, and what waits for them. */
export async function viewPlay(driver: Driver, id: string): Promise<WorkflowRunView> {
  const record = await recordOf(driver, id)
  const { run, workflow, answer, done } = record
  const hidden = hiddenTexts(workflow)
  const play = (await workflowPlays.find(driver, id))?.item ?? null
  const played = await workflowPlaySteps.items(driver, { where: { run_id: id }, order: ['number'] })
  return {
    ...workflowRunView(record),
    name: workflow.name,
    workflow: workflowUserView(workflow),
    context: run.context,
    play: play && { ...(await playSummary(driver, play)), ...(await spentOn(driver, play)) },
    question: play === null ? null : await openQuestion(driver, play),
    steps: done.map((step, at) => stepView({ ...step, output: maskRoles(step.output, hidden) }, done[at - 1]?.told ?? null, played)),
    current: run.status === 'completed' ? null : { ...playedView(writeHandle(run), played), decisions: answer.trace },
  }
}

async function playSummary(driver: Driver, play: WorkflowPlay) {
  const { agent_role, model, workspace, status, reason, message } = play
  return { agent_role, model, workspace, status, reason, message, at_work: status === 'playing' && (await isPlaying(driver, play)) }
}

/** Whether a living process is at it: the play's own lease, or that of the agent's run, which is renewed through long steps. */
export async function isPlaying(driver: Driver, play: WorkflowPlay): Promise<boolean> {
  if (await isLeased(driver, { ...play, thread_id: play.id })) return true
  const running = await runs.items(driver, { where: { thread_id: play.id, status: 'running' } })
  const held = await Promise.all(running.map((run) => isLeased(driver, run)))
  return held.includes(true)
}

async function spentOn(driver: Driver, { id }: WorkflowPlay): Promise<{ usage: Usage; turns: number }> {
  const all = await runs.items(driver, { where: { thread_id: id } })
  return { usage: usageOf(all), turns: all.reduce((sum, { turns }) => sum + turns, 0) }
}

async function openQuestion(driver: Driver, play: WorkflowPlay): Promise<Question | null> {
  const question = await waitingQuestion(driver, play.id)
  return question?.status === 'pending' ? question : null
}

function stepView(step: WorkflowRunStep, before: DescribedDecision | null, played: readonly WorkflowPlayStep[]) {
  const { id, key, title, output, confirmed_by, at } = step
  const told = before?.trace ?? []
  // What was decided again after somebody had set a missing variable is with the step itself.
  const since = step.skipped.filter((line) => !told.some((other) => other.step === line.step && other.why === line.why))
  const decisions = [...told, ...since.map((line) => ({ ...line, decision: 'skipped' as const }))]
  return { key, title, output, confirmed_by, at, decisions, ...playedView(id, played) }
}

/** How a step was played; nothing of it is known when an outside client carried it out. */
function playedView(id: string, played: readonly WorkflowPlayStep[]) {
  const found = played.find((step) => step.id === id)
  return { agent_role: found?.agent_role ?? null, capped: found?.capped ?? [], refusals: found?.refusals ?? [], runs: found?.runs ?? [] }
}
