import * as z from 'zod'
import { Board, BoardConfig, BoardSettings, GivenConfig } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import { fitting } from '../../domain/text/schema-error.ts'
import { newId } from '../../domain/id.ts'
import { Problem } from '../../domain/problem.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { boards } from '../../store/tables.ts'
import { checkBranchName } from '../../worktrees/branch.ts'
import { remoteUrl } from '../../worktrees/remote.ts'
import { commitOf, openRepository, type Repository } from '../../worktrees/repository.ts'
import { recordActivity } from '../activity.ts'
import { needPerson, type ProjectContext } from '../context.ts'
import { writeProjection } from '../view/projection.ts'
import { baseHead, branchAt } from './base-branch.ts'
import { addRecord } from '../records.ts'
import { findBoard, projectOfTask } from '../find.ts'
import { ignoreOwnFiles } from '../worktree/own-files.ts'
import { integrationHead, moveIntegration } from './shared-branches.ts'
import { needSpec } from './spec.ts'
import { takeInBase } from './take-in.ts'

const DEADLINE = 'a time such as 2026-11-30T18:00:00Z'
const { integration_test, base_branch } = BoardSettings.shape

/** Only one goal at a time. */
export const initBoard = defineOperation({
  name: 'board.init',
  summary: 'Open a board for a goal in a repository',
  by: ['person'],
  effect: 'change',
  command: 'board init <goal>',
  input: z.strictObject({
    goal: NonBlank.max(4_000).describe('what to reach'),
    spec_ref: NonBlank.max(1_000).optional().describe('the spec of the goal, a file from the top of the repository'),
    integration_branch: BoardConfig.shape.integration_branch.removeDefault().optional().describe('where approved work is merged'),
    integration_test,
    base_branch,
    remote: BoardConfig.shape.remote.removeDefault().optional().describe('the git remote through which other machines take part'),
    deadline: z.iso.datetime({ offset: true, error: DEADLINE }).optional().describe('when the sprint ends'),
    auto_approve: z.boolean().default(false).describe('let finalized tasks be claimed without a person approving the plan'),
    skip_spec_file_check: z.boolean().default(false).describe('the spec file need not exist; this is logged'),
  }),
  output: Board,
  example: { goal: 'Page every list by 50', spec_ref: 'specs/paging.md' },
  tell: ({ goal, config }) => `Opened a board for "${goal.description}"; approved work goes to ${config.integration_branch}.`,
  run: async ({ driver, folder, actor, dry }: ProjectContext, said) => {
    const { goal, spec_ref, deadline, skip_spec_file_check, ...settings } = said
    const by = needPerson(actor)
    const repository = await openRepository(folder)
    const until = deadline === undefined ? null : new Date(deadline).toISOString()
    const request = { goal, spec_ref, config: definedOnly(settings), deadline: until, skip_spec_file_check, dry: dry === true }
    const opened = await beginGoal(driver, repository, request, by)
    if (dry !== true) await writeProjection({ driver, board_id: opened.id, repository })
    return opened
  },
})

interface GoalRequest {
  goal: string
  spec_ref?: string | undefined
  config?: Partial<BoardConfig>
  deadline?: string | null
  /** The goal's spec file need not exist. */
  skip_spec_file_check?: boolean
  /** Puts more on the board before anyone sees it: all of it is there or no board is. */
  fill?: (tx: Driver, board: Stored<Board>) => Promise<Board>
  /** Only tried: the caller takes every write back, and no branch is made. */
  dry?: boolean
}

/** Opens a board for a repository: a goal, a first sprint, and the integration branch. */
export async function beginGoal(driver: Driver, repository: Repository, request: GoalRequest, by: string): Promise<Board> {
  const { spec_ref } = request
  const config = await settingsOf(repository, request)
  await refuseWorktree(repository)
  const head = await commitOf(repository.root, 'HEAD')
  for (const branch of [config.integration_branch, config.base_branch]) if (branch !== null) await checkBranchName(repository, branch)
  const remote_url = await needRemote(repository, config)
  if (spec_ref !== undefined && request.skip_spec_file_check !== true)
    await needSpec(repository, await beginnings(repository, config, head), spec_ref)
  await refuseSecond(driver, repository)
  const open = async (tx: Driver): Promise<Board> => {
    await refuseSecond(tx, repository)
    const added = await boards.add(tx, newBoard({ root: repository.root, remote_url }, request, config, await tx.now()))
    const { id, goal: stored } = added.item
    await addRecord(tx, id, { kind: 'alignment', task: null, event: 'initialization', summary: stored.description })
    await recordActivity(tx, id, { agent: by, action: 'initialized', detail: `board ${id} on ${config.integration_branch}` })
    await recordActivity(tx, id, { agent: by, action: 'goal_created', detail: stored.description })
    return request.fill === undefined ? added.item : request.fill(tx, added)
  }
  if (request.dry === true) return driver.transaction(open)
  await ignoreOwnFiles(repository.root)
  await openIntegration(repository, config, head) // first: a board without its branch could neither be worked on nor opened again
  const opened = await driver.transaction(open)
  await takeInBase({ driver, board_id: opened.id, repository }, true)
  return opened
}

/** The base branch is the one that is checked out, unless another was named. */
async function settingsOf(repository: Repository, { config: given = {} }: GoalRequest): Promise<BoardConfig> {
  const config = fitting(GivenConfig, given, 'the settings of a board do not fit')
  return given.base_branch === undefined ? { ...config, base_branch: await branchAt(repository, config) } : config
}

/** The commits that work may begin from: what is on the integration branch or is taken into it, or where it is about to be made. */
async function beginnings(repository: Repository, config: BoardConfig, head: string): Promise<(string | null)[]> {
  const there = await integrationHead(repository, config)
  return there === null ? [head] : [await baseHead(repository, config), there]
}

/** A branch of that name that is there already is gone on with. */
async function openIntegration(repository: Repository, config: BoardConfig, head: string): Promise<void> {
  const there = await integrationHead(repository, config)
  if (there === null || config.remote !== null) await moveIntegration(repository, config, there, there ?? head)
}

/** A board there would be a second one for the same branches. */
async function refuseWorktree(repository: Repository): Promise<void> {
  const { root } = await projectOfTask(repository)
  if (root !== repository.root) throw new Problem('bad_input', `${repository.root} is the worktree of a task; open the board in ${root}`)
}

async function refuseSecond(driver: Driver, { root }: Repository): Promise<void> {
  const open = await findBoard(driver, root)
  if (open?.goal.status !== 'IN_PROGRESS') return
  const said = `this project is at a goal already, "${open.goal.description}"; continue it, or end it first`
  throw new Problem('conflict', said, { next: [{ operation: 'board.abort' }] })
}

/** The address of the remote, or null where none is wanted; a name that this clone does not know is refused before anything is made. */
async function needRemote({ root }: Repository, { remote }: BoardConfig): Promise<string | null> {
  if (remote === null) return null
  const url = await remoteUrl(root, remote)
  if (url === null) throw new Problem('bad_input', `there is no remote ${remote} in ${root}; git remote add makes it`)
  return url
}

function newBoard(
  place: Pick<Board, 'root' | 'remote_url'>,
  { goal, spec_ref, deadline = null, skip_spec_file_check = false }: GoalRequest,
  config: BoardConfig,
  now: Date,
): Board {
  const goalId = `goal-${Math.floor(now.getTime() / 1000)}`
  const started = now.toISOString()
  return Board.parse({
    id: newId('board', now),
    ...place,
    goal: {
      id: goalId,
      description: goal,
      spec_ref: spec_ref ?? null,
      spec_file_unchecked: skip_spec_file_check,
      created: started,
      status: 'IN_PROGRESS',
    },
    sprint: { id: 'sprint-1', goal_ref: goalId, status: 'IN_PROGRESS', timeline: { started, deadline } },
    config,
  })
}
