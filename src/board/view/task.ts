import { existsSync } from 'node:fs'
import { byTime, type BoardRecord, type RecordOf } from '../../domain/board/record.ts'
import { boardKey, type BoardConfig } from '../../domain/board/board.ts'
import { isFinal, movesFrom } from '../../domain/flow.ts'
import { taskFlow } from '../../domain/board/task-flow.ts'
import { gateFaults } from '../../domain/board/task-gates.ts'
import { worktreeOf, type Task } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords, boards, tasks } from '../../store/tables.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { openRepository } from '../../worktrees/repository.ts'
import { type ActivityLine, readActivity } from '../activity.ts'
import { needTask } from '../find.ts'
import { costOf, runsOf } from '../agent/runs-of.ts'
import { readSpec, specDelta } from '../goal/spec.ts'
import { earlierWork } from '../task/take-over.ts'
import { titleOf } from './board.ts'

/** The most records and lines anybody reads at once. */
const AT_MOST = 500
const LINES_LOOKED_AT = 20_000
const GRAPH_TASKS = 150

/** A task with everything that was written down about it. */
export async function viewTask(driver: Driver, boardId: string, id: string) {
  const { config, root } = (await boards.get(driver, boardId)).item
  const { item: task } = await needTask(driver, boardId, id)
  const records = await newestRecords(driver, { board_id: boardId, task: id })
  const depends_on = await links(driver, boardId, task.depends_on)
  const played = await runsOf(driver, boardId, id)
  return {
    task,
    gates: gatesOf(task, depends_on),
    depends_on,
    dependents: await links(driver, boardId, task.dependents),
    verdicts: records.filter((record): record is RecordOf<'verdict'> => record.kind === 'verdict'),
    records: records.filter(({ kind }) => kind !== 'verdict' && kind !== 'spec_text'),
    runs: played.toSorted((one, other) => other.started_at.localeCompare(one.started_at)).slice(0, AT_MOST),
    cost_microusd: costOf(played),
    branch: worktreeOf(id).branch,
    earlier_work: earlierWork(task),
    spec_delta: isFinal(taskFlow, task.status) ? null : await specDeltaOf(driver, root, config, task),
    moves: movesFrom(taskFlow, task.status, 'human'),
    max_iterations: task.max_iterations ?? config.max_coder_iterations,
    max_review_cycles: config.max_review_cycles,
    lease_duration: config.lease_duration,
    now: (await driver.now()).toISOString(),
  }
}

/** Who waits for whom: everything that is not over, with what it waits for; or what surrounds one task. */
export async function viewGraph(driver: Driver, boardId: string, around?: string) {
  await boards.get(driver, boardId)
  if (around !== undefined) {
    const { item } = await needTask(driver, boardId, around)
    const near = [...new Set([item.id, ...item.depends_on, ...item.dependents])].slice(0, GRAPH_TASKS)
    return graphOf(await tasksOf(driver, boardId, near), 0)
  }
  const where = { board_id: boardId, status: taskFlow.states.filter((state) => movesFrom(taskFlow, state).length > 0) }
  const open = await tasks.items(driver, { where, order: ['number'], limit: GRAPH_TASKS })
  const shown = new Set(open.map(({ id }) => id))
  const awaited = [...new Set(open.flatMap(({ depends_on }) => depends_on))].filter((id) => !shown.has(id)).slice(0, GRAPH_TASKS)
  return graphOf([...(await tasksOf(driver, boardId, awaited)), ...open], (await tasks.count(driver, where)) - open.length)
}

/** What was written down about a board, newest first. */
export async function listRecords(driver: Driver, boardId: string, kind: BoardRecord['kind']): Promise<BoardRecord[]> {
  await boards.get(driver, boardId)
  return newestRecords(driver, { board_id: boardId, kind })
}

/** The ids of records begin with their kind, so that they do not tell which of two kinds is older. */
async function newestRecords(driver: Driver, where: { board_id: string; kind?: string; task?: string }): Promise<BoardRecord[]> {
  const found = await boardRecords.items(driver, { where, order: ['-id'], limit: AT_MOST })
  return found.toSorted((one, other) => byTime(other, one))
}

/** The newest lines of the activity log, newest first; of one task, as far back as is looked. */
export async function listActivity(driver: Driver, boardId: string, limit: number, task?: string): Promise<ActivityLine[]> {
  await boards.get(driver, boardId)
  const lines = await readActivity(driver, boardId, { limit: task === undefined ? limit : LINES_LOOKED_AT })
  return lines
    .filter((line) => task === undefined || line.task === task)
    .slice(-limit)
    .toReversed()
}

/** Every gate between a draft and a claim, with what is wrong where one is shut. */
function gatesOf(task: Task, awaited: readonly Pick<Task, 'status'>[]) {
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

function accepted({ gates_overridden }: Task, gate: string): string | null {
  const found = gates_overridden.findLast((one) => one.gate === gate)
  return found === undefined ? null : `accepted by ${found.by}: ${found.reason}`
}

/** How the spec changed since the task was finalized; on a machine without the repository nobody can tell. */
async function specDeltaOf(
  driver: Driver,
  root: string,
  { integration_branch }: BoardConfig,
  { board_id, spec_ref, spec_hash }: Task,
): Promise<string | null> {
  if (spec_ref === null || spec_hash === null || !existsSync(root)) return null
  const repository = await openRepository(root)
  const now = await readSpec(repository, await branchHead(repository, integration_branch), spec_ref)
  return now?.spec_hash === spec_hash ? null : specDelta(driver, board_id, spec_ref, spec_hash, now)
}

async function links(driver: Driver, boardId: string, ids: readonly string[]) {
  return (await tasksOf(driver, boardId, ids)).map(linkOf)
}

/** A task as others name it. */
export function linkOf(task: Task) {
  return { id: task.id, title: titleOf(task), status: task.status }
}

async function tasksOf(driver: Driver, boardId: string, ids: readonly string[]): Promise<Task[]> {
  if (ids.length === 0) return []
  const where = { id: ids.map((id) => boardKey({ board_id: boardId, id })) }
  return await tasks.items(driver, { where, order: ['number'] })
}

function graphOf(shown: readonly Task[], left_out: number) {
  const ids = new Set(shown.map(({ id }) => id))
  return { tasks: shown.map((task) => ({ ...linkOf(task), depends_on: task.depends_on.filter((id) => ids.has(id)) })), left_out }
}
