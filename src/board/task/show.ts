import { existsSync } from 'node:fs'
import * as z from 'zod'
import type { BoardConfig } from '../../domain/board/board.ts'
import { BoardRecord, type RecordOf } from '../../domain/board/record.ts'
import { gateFaults } from '../../domain/board/task-gates.ts'
import { taskFlow } from '../../domain/board/task-flow.ts'
import { Verdict } from '../../domain/board/task-verdict.ts'
import { TaskId, TaskLink, TaskRecord, worktreeOf, type TaskEntry, type TaskPlan, type TaskPlanning } from '../../domain/board/task.ts'
import { isFinal, movesFrom } from '../../domain/flow.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { boards } from '../../store/tables.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { openRepository } from '../../worktrees/repository.ts'
import { runsOf, spentOnTask } from '../agent/runs-of.ts'
import type { BoardRef } from '../context.ts'
import { needTask } from '../find.ts'
import { readSpec, specDelta } from '../goal/spec.ts'
import { links, newestRecords } from '../view/task.ts'
import { messagesFor, TaskMessages } from './messages.ts'
import { earlierWork } from './take-over.ts'

const RUNS_SHOWN = 500

/** A task, opened. */
const TaskView = z.object({
  task: TaskRecord,
  gates: z.array(z.object({ gate: z.string(), passed: z.boolean(), reason: z.string() })),
  depends_on: z.array(TaskLink),
  dependents: z.array(TaskLink),
  verdicts: z.array(z.object({ id: z.string(), by: z.string(), round: z.int(), timestamp: z.iso.datetime(), verdict: Verdict })),
  records: z.array(BoardRecord),
  /** What was said to the one who works on it next. */
  ...TaskMessages.shape,
  runs: z.array(
    Run.pick({ id: true, agent_role: true, model: true, status: true, turns: true, usage: true, started_at: true, ended_at: true }),
  ),
  /** Null where the price of a model is unknown. */
  cost_microusd: z.int().nonnegative().nullable(),
  estimated: z.boolean(),
  branch: z.string(),
  /** What earlier coders left: the ref that keeps it, and the commit it is. */
  earlier_work: z.array(z.object({ from: z.string().nullable(), ref: z.string(), commit: z.string(), time: z.iso.datetime() })),
  /** How the spec changed since the task was finalized; null while it is the same. */
  spec_delta: z.string().nullable(),
  /** What a person could do with it now. */
  moves: z.array(z.string()),
  max_iterations: z.int(),
  max_review_cycles: z.int(),
  lease_duration: z.int(),
  now: z.iso.datetime(),
})

/** A task with everything that was written down about it. */
export const getTask = defineOperation({
  name: 'board.get_task',
  summary: 'Show a task with its gates, verdicts and everything written down about it',
  by: ['person'],
  effect: 'read',
  command: 'board show <task>',
  input: z.strictObject({ task: TaskId }),
  output: TaskView,
  example: { task: 'task-1' },
  tell: ({ task: { id, status, description } }) => `${id} is ${status}: ${description}`,
  run: async (context: BoardRef, { task: id }) => {
    const { driver, board_id } = context
    const { config, root } = (await boards.get(driver, board_id)).item
    const { item: task } = await needTask(driver, board_id, id)
    const records = await newestRecords(driver, { board_id, task: id })
    const depends_on = await links(driver, board_id, task.depends_on)
    const played = await runsOf(driver, board_id, id)
    return {
      task,
      gates: gatesOf(task, depends_on),
      depends_on,
      dependents: await links(driver, board_id, task.dependents),
      verdicts: records.filter((record): record is RecordOf<'verdict'> => record.kind === 'verdict'),
      records: records.filter(({ kind }) => kind !== 'verdict' && kind !== 'spec_text'),
      ...(await messagesFor(context, task)),
      runs: played.toSorted((one, other) => other.started_at.localeCompare(one.started_at)).slice(0, RUNS_SHOWN),
      ...spentOnTask(played),
      branch: worktreeOf(id).branch,
      earlier_work: earlierWork(task),
      spec_delta: isFinal(taskFlow, task.status) ? null : await specDeltaOf(driver, root, config, task),
      moves: movesFrom(taskFlow, task.status, 'human'),
      max_iterations: task.max_iterations ?? config.max_coder_iterations,
      max_review_cycles: config.max_review_cycles,
      lease_duration: config.lease_duration,
      now: (await driver.now()).toISOString(),
    }
  },
})

/** Every gate between a draft and a claim, with what is wrong where one is shut. */
function gatesOf(task: TaskPlan & TaskPlanning, awaited: readonly Pick<TaskEntry, 'status'>[]) {
  const faults = new Map(gateFaults(task).map(({ gate, reason }) => [gate, reason]))
  const stated = [
    ['spec_ref', `cites ${task.spec_ref}${task.spec_file_unchecked ? ', a file nobody looked for' : ''}`],
    ['done_when', accepted(task, 'done_when') ?? 'can be proven wrong'],
    ['scope', 'says what belongs to it'],
    ['tests', accepted(task, 'tests') ?? (task.kind === 'code' ? 'come with the code' : `not asked of a ${task.kind} task`)],
  ] as const
  const approved = task.plan_approved_by !== null
  const open = awaited.filter(({ status }) => status !== 'MERGED').length
  const waits = open === 0 ? 'nothing is left to wait for' : `${open} of ${awaited.length} not merged yet`
  return [
    ...stated.map(([gate, good]) => ({ gate, passed: !faults.has(gate), reason: faults.get(gate) ?? good })),
    { gate: 'plan approval', passed: approved, reason: approved ? `by ${task.plan_approved_by}` : 'waits for a person' },
    { gate: 'dependencies', passed: open === 0, reason: waits },
  ]
}

function accepted({ gates_overridden }: TaskPlanning, gate: string): string | null {
  const found = gates_overridden.findLast((one) => one.gate === gate)
  return found === undefined ? null : `accepted by ${found.by}: ${found.reason}`
}

/** How the spec changed since the task was finalized; on a machine without the repository nobody can tell. */
async function specDeltaOf(
  driver: Driver,
  root: string,
  { integration_branch }: BoardConfig,
  { board_id, spec_ref, spec_hash }: TaskEntry & TaskPlan & TaskPlanning,
): Promise<string | null> {
  if (spec_ref === null || spec_hash === null || !existsSync(root)) return null
  const repository = await openRepository(root)
  const now = await readSpec(repository, await branchHead(repository, integration_branch), spec_ref)
  return now?.spec_hash === spec_hash ? null : specDelta(driver, board_id, spec_ref, spec_hash, now)
}
