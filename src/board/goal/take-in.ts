import * as z from 'zod'
import { Board } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { counted } from '../../domain/text/format.ts'
import { Problem } from '../../domain/problem.ts'
import { agentAuthor } from '../../worktrees/commit.ts'
import { mergeBranch } from '../../worktrees/merge.ts'
import { isAncestor } from '../../worktrees/repository.ts'
import { logActivity } from '../activity.ts'
import { baseHead, distanceOf } from './base-branch.ts'
import { dropSettledConflicts, handToCoder, knownConflict } from './base-conflict.ts'
import type { RepositoryContext } from '../context.ts'
import type { BoardRepository } from '../desk.ts'
import { boardOf } from '../find.ts'
import { integrationHead, moveIntegration, noIntegration } from './shared-branches.ts'

/** What came of bringing the base branch into the integration branch; `head` is where that stands now. */
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
    await dropSettledConflicts(context)
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

/** The same without moving anything, for whoever only looks; null where the branch is gone. */
export async function integrationSeen({ repository, ...shelf }: BoardRepository): Promise<string | null> {
  return integrationHead(repository, (await boardOf(shelf)).config)
}

async function mergeBase({ repository }: BoardRepository, { id, config }: Board, onto: string, commit: string) {
  const message = `Take ${config.base_branch} into ${config.integration_branch}\n\nTroupe-Board: ${id}\n`
  return mergeBranch(repository, { onto, commit, message, author: agentAuthor('supervisor') })
}

/** Why the branch cannot be moved is said by whoever asked for it; work goes on from where it stands. */
async function moveOrSay({ repository }: BoardRepository, { config }: Board, from: string, to: string): Promise<string> {
  try {
    return await moveIntegration(repository, config, from, to)
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return error.message
    throw error
  }
}
