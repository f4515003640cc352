import { resolve } from 'node:path'
import type { Command } from 'commander'
import { perform } from '../../domain/operation.ts'
import { boardOf, findBoard, needBoard, openProject } from '../../board/find.ts'
import { initBoard } from '../../board/goal/init.ts'
import { approvePlan } from '../../board/task/approve-plan.ts'
import { configureBoard, specifyGoal } from '../../board/goal/configure.ts'
import type { BoardWorkspace } from '../../board/context.ts'
import { keepProjection } from '../../board/view/projection.ts'
import { openBoardFeed } from '../../board/team/board-feed.ts'
import type { MemberRequest } from '../../board/team/member.ts'
import { usualPace, type Budgets, type TeamContext } from '../../board/team/context.ts'
import { agentFrom, freeModel, modelsFor, needModel } from '../../config/open-agent.ts'
import { commandSettings } from '../../config/wiring.ts'
import type { Board } from '../../domain/board/board.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import type { Repository } from '../../worktrees/repository.ts'
import { inRepository, personHere } from '../board/context.ts'
import { openToPlay, type OpenParts } from '../open/parts.ts'
import { microdollars } from '../run/options.ts'

/** The options that `troupe team` and `troupe agent` share. */
export interface StationOptions {
  cwd?: string
  model?: string
  taskBudgetUsd?: string
  teamBudgetUsd?: string
  dayBudgetUsd?: string
  json?: boolean
}

export interface GoalOptions {
  goal?: string
  spec?: string
  integrationTest?: string
  autoApprove?: boolean
}

/** Adds the options to a command. */
export function stationOptions(command: Command): Command {
  return inRepository(command)
    .option('--model <name>', 'provider/model, agent/NAME or scripted:FILE for every role; the default is the role’s own')
    .option('--task-budget-usd <dollars>', 'stop work on a task once this much is spent on it')
    .option('--team-budget-usd <dollars>', 'stop once this much is spent on the board')
    .option('--day-budget-usd <dollars>', 'stop once this much is spent on the board today (UTC)')
}

/** Opens everything a supervising process needs, a model that can be asked for each of its members among it. Close it when the team has stopped. */
export async function openStation(
  options: StationOptions & GoalOptions & { members?: readonly MemberRequest[] },
  listen: (desk: BoardWorkspace) => Pick<TeamContext, 'onRun' | 'say'>,
): Promise<{ context: TeamContext; board: Board; close: () => Promise<void> }> {
  const budgets = budgetsFrom(options)
  const workspace = resolve(options.cwd ?? '.')
  const repository = await openProject(workspace)
  const parts = await openToPlay(repository.root)
  const model = options.model ?? null
  try {
    await needModels(parts, options.members ?? [], model)
    const board = await boardFor(parts, repository, options)
    const { driver, sandbox, loaded } = parts
    const desk: BoardWorkspace = { driver, board_id: board.id, repository, sandbox, commands: commandSettings(loaded) }
    const team = await stationAt(parts, desk, model, budgets, listen(desk))
    const writeLast = keepProjection({ driver, repository })
    const close = async () => {
      await writeLast()
      await driver.close()
    }
    return { context: team, board, close }
  } catch (error) {
    await parts.driver.close()
    throw error
  }
}

/** The station of a process that has opened its parts already. */
export async function stationAt(
  parts: OpenParts,
  board: BoardWorkspace,
  model: string | null,
  budgets: Budgets,
  listener: Pick<TeamContext, 'onRun' | 'say'>,
): Promise<TeamContext> {
  return {
    board,
    agent: {
      ...agentFrom({ ...parts, onEvent: () => undefined }),
      checkpoints: undefined, // agents of a board commit in worktrees of their own
    },
    modelOf: (role) => freeModel(parts, modelsFor(parts, role, model)),
    limits: parts.loaded.config.limits,
    budgets,
    pace: usualPace,
    feed: await openBoardFeed(board),
    ...listener,
  }
}

/** Refuses members whose model nobody could ask. */
export async function needModels(parts: OpenParts, members: readonly MemberRequest[], model: string | null): Promise<void> {
  for (const { role } of members) for (const one of modelsFor(parts, role, model)) await needModel(parts, one)
}

/** The board of the project; with a goal a new one, unless that goal is what the team is at already. */
async function boardFor({ driver }: OpenParts, repository: Repository, options: GoalOptions): Promise<Board> {
  const { goal, spec } = options
  const config = definedOnly({ integration_test: options.integrationTest, auto_approve: options.autoApprove })
  const actor = { human: personHere() }
  const open = await findBoard(driver, repository.root)
  const same = open?.goal.status === 'IN_PROGRESS' && open.goal.description === goal
  if (goal !== undefined && !same)
    return perform(initBoard, { driver, folder: repository.root, actor }, { goal, ...definedOnly({ spec_ref: spec }), ...config })
  const { id } = await needBoard(driver, repository.root)
  const context = { driver, board_id: id, repository, actor }
  if (spec !== undefined) await perform(specifyGoal, context, { spec_ref: spec })
  await perform(configureBoard, context, config)
  if (config.auto_approve === true) await perform(approvePlan, context, {})
  return boardOf(context)
}

function budgetsFrom({ taskBudgetUsd, teamBudgetUsd, dayBudgetUsd }: StationOptions): Budgets {
  return {
    task_microusd: taskBudgetUsd === undefined ? null : microdollars('--task-budget-usd', taskBudgetUsd),
    team_microusd: teamBudgetUsd === undefined ? null : microdollars('--team-budget-usd', teamBudgetUsd),
    day_microusd: dayBudgetUsd === undefined ? null : microdollars('--day-budget-usd', dayBudgetUsd),
  }
}
