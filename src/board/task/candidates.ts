import type { BoardAgent } from '../../domain/board/agent.ts'
import { boardKey, type Board } from '../../domain/board/board.ts'
import { claimableStates, heldStates, reviewStates, sqlStates, taskFlow } from '../../domain/board/task-flow.ts'
import type { TaskEntry, TaskPlan, TaskPlanning, TaskClaim, TaskReview, Task } from '../../domain/board/task.ts'
import { nextState } from '../../domain/flow.ts'
import { hasExpired } from '../../domain/lease.ts'
import { Problem } from '../../domain/problem.ts'
import { clockSql } from '../../store/clock-sql.ts'
import type { Row, Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, boards, tasks } from '../../store/tables.ts'
import { sameRegistration } from '../agent/known-actor.ts'
import type { Identity, BoardRef } from '../context.ts'
import { needTask } from '../find.ts'

/** Why this coder may not take a task now; null when it may. */
export function whyNotClaimable(
  task: TaskEntry & TaskPlan & TaskPlanning & TaskClaim,
  { agent, generation }: Identity,
  now: Date,
): Problem | null {
  nextState(taskFlow, task.status, task.status === 'CLAIMED' ? 'reclaim' : 'claim', 'supervisor')
  const { id, plan_approved_by, unmet, depends_on, assigned_to, status, claim_generation, lease_expires } = task
  if (plan_approved_by === null) {
    return new Problem('needs_person', `${id} may not be claimed before a person approves the plan`, {
      next: [{ operation: 'board.approve_plan', input: { tasks: [id] } }],
    })
  }
  if (unmet > 0) return new Problem('conflict', `${id} depends on ${depends_on.join(', ')}, and not all of it is merged yet`)
  const held = heldStates.includes(status)
  // Sent back to this coder, or claimed by an earlier registration of it.
  const own = assigned_to === agent && (status === 'REJECTED' || claim_generation !== generation)
  if (!held || own || hasExpired(lease_expires, now)) return null
  if (status === 'REJECTED') {
    return new Problem('conflict', `${id} was sent back to ${assigned_to}, for whom it is kept until ${lease_expires}; take another one`)
  }
  return inOtherHands(`${assigned_to} holds ${id} until ${lease_expires}`, { task: id })
}

/** Why this reviewer may not review a task now; null when it may. */
export function whyNotReviewable(task: TaskEntry & TaskReview, { agent, generation }: Identity, now: Date): Problem | null {
  const { id, status, reviewing_by, review_generation, review_lease_expires } = task
  if (!reviewStates.includes(status)) {
    return new Problem('move_refused', `${id} is ${status}; only a task that is ${reviewStates.join(' or ')} can be reviewed`)
  }
  const own = reviewing_by === agent && review_generation !== generation
  // A reviewer without a lease counts as busy: nobody can say that it is gone.
  if (reviewing_by === null || own || (review_lease_expires !== null && hasExpired(review_lease_expires, now))) return null
  return inOtherHands(`${id} is under review by ${reviewing_by} until ${review_lease_expires}`, { task: id, review: true })
}

function inOtherHands(said: string, claim: { task: string; review?: true }): Problem {
  return new Problem('conflict', `${said}; take another one, or have a person take this one away`, {
    next: [{ operation: 'board.release_task', input: { ...claim, force: true, reason: 'WHY' } }],
  })
}

/** What a claim rests on, read in one statement. */
export interface ClaimCandidates {
  board: Stored<Board>
  agent: Stored<BoardAgent>
  /** By the store's clock. */
  now: Date
  /** Best first; whether they may be taken is still to be judged. */
  candidates: Stored<Task>[]
}

type Kind = Driver['kind']

/** Some tasks of the board, and when their turn is. */
const own = (turn: string, where: string): string =>
  `select id, version, data, ${turn} as turn, priority, number from tasks where board_id = $1 and ${where}`

/** The first task, by an index of its own. */
const first = (turn: number, where: string, order: string): string =>
  `select * from (${own(String(turn), where)} order by ${order} limit 1) few`

const held = `status in ${sqlStates(heldStates)}`
const inReview = `status in ${sqlStates(reviewStates)}`

// Nulls come as they do in the index, or PostgreSQL would sort the whole board.
const nextTask = (except = ''): string[] => [
  own("case status when 'CLAIMED' then 0 else 1 end", `assigned_to = $3 and ${held}${except}`),
  ...claimableStates
    .filter((state) => !heldStates.includes(state))
    .map((state) => first(2, `status = '${state}' and unmet = 0${except}`, 'priority nulls first, number nulls first')),
  first(2, `${held} and lease_expires < (select now from clock)${except}`, 'lease_expires'),
]

const nextReview: readonly string[] = [
  own('0', `reviewing_by = $3 and ${inReview}`),
  first(1, `reviewing_by is null and ${inReview}`, 'priority, number'),
  first(1, `review_lease_expires < (select now from clock) and ${inReview}`, 'review_lease_expires'),
]

const statement = (kind: Kind, ...found: string[]): string => `
  with clock as (select ${clockSql[kind]} as now)
  select what, id, version, data, (select now from clock) as now from (
    select 'board' as what, id, version, data, 0 as turn, 0 as priority, 0 as number from boards where id = $1
    union all select 'agent', id, version, data, 0, 0, 0 from board_agents where id = $2
    union all select 'task', id, version, data, turn, priority, number from (${found.join(' union all ')}) found
  ) seen order by turn, priority, number`

const forBoth = (sql: (kind: Kind) => string): Record<Kind, string> => ({ sqlite: sql('sqlite'), postgres: sql('postgres') })

const statements = {
  /** What a coder left unfinished, then what was sent back to it, then the lowest priority number, then the oldest. */
  task: forBoth((kind) => statement(kind, ...nextTask())),
  /** The same order; a review that this reviewer left unfinished comes first. */
  review: forBoth((kind) => statement(kind, ...nextReview)),
  named: forBoth((kind) => statement(kind, own('0', 'id = $3'))),
}

/** The next task but for some that were tried in vain. */
function nextExcept(kind: Kind, passed: readonly string[]): string {
  return statement(kind, ...nextTask(` and id not in (${passed.map((_, at) => `$${at + 4}`).join(', ')})`))
}

/** Looks for the next task or review of an agent, or for the task that is named. */
export async function findCandidates(
  tx: Driver,
  what: 'task' | 'review',
  boardId: string,
  identity: Identity,
  wanted?: string,
  passed: readonly string[] = [],
): Promise<ClaimCandidates> {
  const key = (id: string) => boardKey({ board_id: boardId, id })
  const sql = passed.length > 0 ? nextExcept(tx.kind, passed) : statements[wanted === undefined ? what : 'named'][tx.kind]
  const last = wanted === undefined ? identity.agent : key(wanted)
  const rows = await tx.query<Seen>(sql, [boardId, key(identity.agent), last, ...passed.map(key)])
  const seen = (kind: Seen['what']) => rows.filter((row) => row.what === kind)
  const [board] = seen('board')
  const [agent] = seen('agent')
  return {
    board: board === undefined ? await boards.get(tx, boardId) : boards.read(board),
    agent: sameRegistration(agent === undefined ? null : boardAgents.read(agent), identity),
    now: new Date(rows[0]?.now ?? (await tx.now())),
    candidates: seen('task').map((row) => tasks.read(row)),
  }
}

/** The first task that may be taken, or the one that is named; that one is refused with the reason why it may not. */
export async function chooseCandidate(
  tx: Driver,
  { board, candidates }: ClaimCandidates,
  whyNot: (task: Task) => Problem | null,
  wanted?: string,
): Promise<Stored<Task> | undefined> {
  if (wanted === undefined) return candidates.find(({ item }) => whyNot(item) === null)
  const named = candidates[0] ?? (await needTask(tx, board.item.id, wanted))
  const refusal = whyNot(named.item)
  if (refusal === null) return named
  throw refusal
}

/** A cheap look, so that an agent without work neither asks git nor takes its turn at writing. */
export async function mayTake(
  { driver, board_id }: BoardRef,
  what: 'task' | 'review',
  identity: Identity,
  whyNot: (task: Task, identity: Identity, now: Date) => Problem | null,
): Promise<boolean> {
  const { candidates, now } = await findCandidates(driver, what, board_id, identity)
  return candidates.some(({ item }) => whyNot(item, identity, now) === null)
}

type Seen = Row & { what: 'board' | 'agent' | 'task'; now: string }
