import * as z from 'zod'
import { Board, boardKey } from '../../domain/board/board.ts'
import { lastEvent } from '../../domain/board/event.ts'
import { openStates, taskFlow } from '../../domain/board/task-flow.ts'
import type { Task } from '../../domain/board/task.ts'
import { isFinal } from '../../domain/flow.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { agentAuthor } from '../../worktrees/commit.ts'
import { mergeBranch } from '../../worktrees/merge.ts'
import { isAncestor } from '../../worktrees/repository.ts'
import { logActivity, recordActivity } from '../activity.ts'
import type { RepositoryContext, BoardRepository } from '../context.ts'
import { boardOf, needTask } from '../find.ts'
import { insertTask } from '../task/add.ts'
import { moveTask } from '../task/move.ts'
import { clearAwayAndSay } from '../worktree/clear-away.ts'
import { baseHead, distanceOf } from './base-branch.ts'
import { integrationHead, moveIntegration, noIntegration } from './shared-branches.ts'
import { keepSpecText, readSpec } from './spec.ts'

/** What came of bringing the base branch into the integration branch; `head` is where that is now. */
type TakenIn = z.infer<typeof TakenIn>
const TakenIn = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('current'), head: z.string() }),
  z.object({ outcome: z.literal('taken_in'), head: z.string(), commits: z.int() }),
  /** It is a coder's to settle; null where the goal is over and nobody works on it. */
  z.object({ outcome: z.literal('conflict'), head: z.string(), files: z.array(z.string()), task: z.string().nullable() }),
  /** Somebody has the integration branch checked out, or it cannot be moved for another reason. */
  z.object({ outcome: z.literal('held'), head: z.string(), reason: z.string() }),
])

/** A conflict becomes a task and stops nobody. */
export const syncBoard = defineOperation({
  name: 'board.sync',
  summary: 'Take what is new on the base branch into the integration branch',
  by: ['person'],
  effect: 'change',
  command: 'board sync',
  input: z.strictObject({}),
  output: TakenIn.and(Board.shape.config.pick({ base_branch: true, integration_branch: true })),
  example: {},
  tell: syncText,
  run: async (context: RepositoryContext) => {
    const { base_branch, integration_branch } = (await boardOf(context)).config
    return { ...(context.dry === true ? await wouldTakeIn(context) : await takeInBase(context)), base_branch, integration_branch }
  },
})

function syncText(taken: TakenIn & Pick<Board['config'], 'base_branch' | 'integration_branch'>): string {
  const { base_branch, integration_branch } = taken
  if (taken.outcome === 'held') return taken.reason
  if (taken.outcome === 'taken_in') return `Took ${counted(taken.commits, 'commit')} of ${base_branch} into ${integration_branch}.`
  if (taken.outcome === 'current')
    return base_branch === null ? 'This board has no base branch.' : `${integration_branch} holds everything of ${base_branch}.`
  const onward = taken.task === null ? `merge ${base_branch} into ${integration_branch} by hand` : `a coder settles it in ${taken.task}`
  return `${base_branch} does not fit ${integration_branch} in ${taken.files.join(', ')}; ${onward}.`
}

const TRIES = 20

/**
 * Brings what is new on the base branch into the integration branch, without a checkout: work would else begin from an old text, and a
 * spec that was committed there would never be read. A conflict becomes a task and stops nobody.
 * `fresh`: nothing of this goal is merged yet, so that the branch may simply follow.
 */
export async function takeInBase(context: BoardRepository, fresh = false): Promise<TakenIn> {
  const { repository, dry } = context
  const board = await boardOf(context)
  const { config } = board
  for (let left = TRIES; left > 0; left--) {
    const head = await integrationHead(repository, config)
    if (head === null) throw noIntegration(config)
    const base = await baseHead(repository, config)
    if (base === null || base === head || dry === true || (await isAncestor(repository.root, base, head)))
      return { outcome: 'current', head }
    const known = await knownConflict(context, base)
    if (known !== null) return { outcome: 'conflict', head, ...known }
    const follows = fresh && (await isAncestor(repository.root, head, base))
    const merged = follows ? ({ outcome: 'merged', commit: base } as const) : await mergeBase(context, board, head, base)
    if (merged.outcome === 'conflict')
      return { outcome: 'conflict', head, files: merged.files, task: await handToCoder(context, base, merged) }
    const moved = await moveOrSay(context, board, head, merged.commit)
    if (moved === 'lost_race') continue
    if (moved !== 'moved') return { outcome: 'held', head, reason: moved }
    const { behind } = await distanceOf(repository, { ...config, base_branch: config.base_branch ?? '' }, head, base)
    const detail = `${behind} commits of ${config.base_branch} taken into ${config.integration_branch}`
    await logActivity(context, { agent: 'supervisor', action: 'base_taken_in', detail })
    await dropSettledConflicts(context, (takes_in) => isNewer(context, base, takes_in))
    return { outcome: 'taken_in', head: merged.commit, commits: behind }
  }
  throw new Problem('busy', `${config.integration_branch} moves faster than ${config.base_branch} can be taken in; try again`)
}

/** What would come of it, for a dry run. */
async function wouldTakeIn(context: BoardRepository): Promise<TakenIn> {
  const board = await boardOf(context)
  const { repository } = context
  const head = await integrationHead(repository, board.config)
  if (head === null) throw noIntegration(board.config)
  const base = await baseHead(repository, board.config)
  if (base === null || (await isAncestor(repository.root, base, head))) return { outcome: 'current', head }
  const merged = await mergeBase(context, board, head, base)
  if (merged.outcome === 'conflict') return { outcome: 'conflict', head, files: merged.files, task: null }
  return {
    outcome: 'taken_in',
    head,
    commits: (await distanceOf(repository, { ...board.config, base_branch: board.config.base_branch ?? '' }, head, base)).behind,
  }
}

/** The commit that work begins from and specs are read at, with what is new on the base branch taken in where that goes. */
export async function integrationNow(board: BoardRepository): Promise<string> {
  return (await takeInBase(board)).head
}

/** The same without moving anything, for callers that only look; null where the branch is gone. */
export async function integrationSeen({ repository, ...shelf }: BoardRepository): Promise<string | null> {
  return integrationHead(repository, (await boardOf(shelf)).config)
}

async function mergeBase({ repository }: BoardRepository, { id, config }: Board, onto: string, commit: string) {
  const message = `Take ${config.base_branch} into ${config.integration_branch}\n\nTroupe-Board: ${id}\n`
  return mergeBranch(repository, { onto, commit, message, author: agentAuthor('supervisor') })
}

/** Why the branch cannot be moved is said by the one who asked for it; work goes on from where it is. */
async function moveOrSay({ repository }: BoardRepository, { config }: Board, from: string, to: string): Promise<string> {
  try {
    return await moveIntegration(repository, config, from, to)
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return error.message
    throw error
  }
}

const supervisor = { role: 'supervisor', id: 'supervisor', agent: null } as const

/** More files than this are counted. */
const FILES_NAMED = 20

/** The task made for a commit of the base branch, so that it is made once by whichever process finds the conflict. */
function taskIdFor(base: string): string {
  return `take-in-${base.slice(0, 12)}`
}

/** The conflict with this commit, when a task was made for it: also one that was given up stays known, and is not asked for again. */
export async function knownConflict(
  { driver, board_id }: BoardRepository,
  base: string,
): Promise<{ files: string[]; task: string | null } | null> {
  const found = await tasks.find(driver, boardKey({ board_id, id: taskIdFor(base) }))
  if (found === null) return null
  const { id, status, history } = found.item
  const files = lastEvent(history, 'created')?.files
  const named = Array.isArray(files) ? files.filter((file) => typeof file === 'string') : []
  return { files: named, task: isFinal(taskFlow, status) ? null : id }
}

/** Makes a task of a conflict between the base and the integration branch. Null where the goal is over. */
export async function handToCoder(
  board: BoardRepository,
  base: string,
  conflict: { files: string[]; output: string },
): Promise<string | null> {
  const { goal, config } = await boardOf(board)
  if (goal.status !== 'IN_PROGRESS') return null
  const spec_ref = goal.spec_ref ?? conflict.files[0] ?? null
  const spec = await readSpec(board.repository, await integrationHead(board.repository, config), spec_ref)
  const id = taskIdFor(base)
  await dropSettledConflicts(board, async (takes_in) => takes_in === base || isNewer(board, base, takes_in))
  try {
    await board.driver.transaction(async (tx) => {
      const was = await boards.get(tx, board.board_id)
      const plan = { id, kind: 'config', spec_ref, ...wordsFor(base, config, conflict.files) } as const
      // Both sides were approved by a person already: this only brings them together.
      const approved = { status: 'UNCLAIMED', plan_approved_by: 'supervisor', unmet: 0 } as const
      const held = { spec_hash: spec?.spec_hash ?? null, spec_file_unchecked: spec === null }
      await insertTask(tx, was, supervisor, plan, { ready: { ...approved, ...held, takes_in: base }, files: conflict.files })
      if (spec !== null) await keepSpecText(tx, board.board_id, spec)
      const detail = `${config.base_branch} does not fit ${config.integration_branch} in ${fileList(conflict.files)}`
      await recordActivity(tx, board.board_id, { agent: 'supervisor', action: 'base_conflict', task: id, detail, files: conflict.files })
    })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'conflict') throw error // else another process made it first
  }
  return id
}

/** The base branch moved on, or was taken in another way: a task about an earlier commit of it that nobody holds has nothing left to do. */
async function dropSettledConflicts(board: BoardRepository, stays: (takes_in: string) => Promise<boolean>): Promise<void> {
  const open = await tasks.items(board.driver, { where: { board_id: board.board_id, status: openStates } })
  for (const task of open) {
    if (task.takes_in === null || (await stays(task.takes_in))) continue
    const dropped = await board.driver.transaction((tx) => drop(tx, task))
    if (dropped !== null) await clearAwayAndSay(board, dropped)
  }
}

/** Whether another process, which saw more of the base branch, made a task of a later commit. */
async function isNewer({ repository }: BoardRepository, base: string, takes_in: string): Promise<boolean> {
  return takes_in !== base && (await isAncestor(repository.root, base, takes_in))
}

async function drop(tx: Driver, { id, board_id }: Task): Promise<Task | null> {
  const was = await needTask(tx, board_id, id)
  if (!taskFlow.moves.drop.from.some((state) => state === was.item.status)) return null // somebody is at it
  const reason = 'the base branch has moved on'
  const step = { move: 'drop', by: supervisor, event: 'abandoned', about: { reason } } as const
  const changes = { rescope_reason: reason, worktree: null, worktree_by: null, lease_expires: null }
  const { item } = await moveTask(tx, was, step, changes)
  await recordActivity(tx, board_id, { agent: 'supervisor', action: 'abandoned', task: id, detail: reason })
  return item
}

function wordsFor(base: string, config: { base_branch: string | null; integration_branch: string }, files: readonly string[]) {
  const { base_branch, integration_branch } = config
  return {
    description: `Take ${base_branch} into ${integration_branch}: settle the conflict in ${fileList(files)}. update_from_integration merges commit ${base} into your branch (by hand: git merge ${base}); keep what both sides want.`,
    done_when: `The task branch contains commit ${base}, and no file holds a conflict marker such as <<<<<<<`,
    scope: `IN: the conflict in ${fileList(files)}. OUT: everything else`,
  }
}

function fileList(files: readonly string[]): string {
  const named = files.slice(0, FILES_NAMED).join(', ')
  return files.length > FILES_NAMED ? `${named} and ${files.length - FILES_NAMED} more` : named
}
