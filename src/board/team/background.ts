import type { PlainAction } from '../../domain/board/event.ts'
import * as z from 'zod'
import { runInBackground, type Playing } from '../../agent/run/background.ts'
import { counted } from '../../domain/text/format.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import { defineOperation } from '../../domain/operation.ts'
import { messageOf, Problem } from '../../domain/problem.ts'
import { logActivity } from '../activity.ts'
import { needPerson, type BoardContext, type BoardRepository } from '../context.ts'
import { boardOf } from '../find.ts'
import { refuseOver } from '../goal/control.ts'
import { repositoryAt } from '../view/board.ts'
import type { MemberRequest } from './member.ts'
import type { Budgets, TeamContext } from './context.ts'
import { runTeam, teamOf, type TeamEnd } from './team.ts'

/** What a team is played with: the model of roles that name none, and what it may spend. */
export interface TeamMeans {
  model: string | null
  budgets: Budgets
}

/** Opens a station for these members at a board; refused where one of them has no model that can be asked. */
type OpenStation = (
  board: BoardRepository,
  members: readonly MemberRequest[],
  means: TeamMeans,
  say: TeamContext['say'],
) => Promise<TeamContext>

/** The teams of a long-lived process, one for each board. */
export interface TeamPlays {
  openStation: OpenStation
  playing: Playing
  /** What came of the last team of a board. */
  ended: Map<string, string>
}

export function openTeamPlays(openStation: OpenStation): TeamPlays {
  return { openStation, playing: new Map(), ended: new Map() }
}

/** A board of a long-lived process in which teams work. */
export interface TeamsContext extends BoardContext {
  teams: TeamPlays
  /** The folder the process was started in. */
  workspace: string
}

const TeamState = z.object({
  at_work: z.boolean(),
  /** What came of the last one. */
  ended: z.string().nullable(),
})
const dollars = z.number().positive().max(1_000_000).optional()
const foreground = 'the terminal runs a team in the foreground'

/** How it goes is in the log of the board. */
export const startTeam = defineOperation({
  name: 'board.start_team',
  summary: 'Start a team that works on the board until its goal is reached; it ends with this server',
  by: ['person'],
  effect: 'change',
  absent: { cli: foreground, dry_run: 'agents that only try would ask their models all the same' },
  input: z.strictObject({
    planner: z.boolean().default(true),
    coders: z.int().min(0).max(20).default(1),
    reviewers: z.int().min(0).max(20).default(1),
    model: NonBlank.max(200).optional().describe('provider/model, agent/NAME or scripted:FILE for every role; else what the role says'),
    task_budget_usd: dollars.describe('refuse further requests for a task once so much was spent on it'),
    team_budget_usd: dollars.describe('refuse further requests once so much was spent on the board'),
    day_budget_usd: dollars.describe('refuse further requests once so much was spent on the board today (UTC)'),
  }),
  output: TeamState,
  example: { coders: 2, team_budget_usd: 5 },
  tell: ({ at_work }) => (at_work ? 'The team is at work.' : 'The team has ended.'),
  run: async (context: TeamsContext, { model = null, task_budget_usd, team_budget_usd, day_budget_usd, ...size }) => {
    const by = needPerson(context.actor)
    const members = teamOf(size)
    if (members.length === 0) throw new Problem('bad_input', 'a team without members does nothing; give it coders, reviewers or a planner')
    await refuseElsewhere(context)
    refuseOver(await boardOf(context))
    const budgets = { task_microusd: micro(task_budget_usd), team_microusd: micro(team_budget_usd), day_microusd: micro(day_budget_usd) }
    await play(context, members, { model, budgets }, by)
    return teamAt(context.teams, context.board_id)
  },
})

/** Its agents give back what they hold before this answers. */
export const stopTeam = defineOperation({
  name: 'board.stop_team',
  summary: 'Stop the team that was started through this server; its agents give back what they hold',
  by: ['person'],
  effect: 'change',
  absent: { cli: foreground, dry_run: 'agents cannot be stopped as a try' },
  input: z.strictObject({}),
  output: TeamState,
  example: {},
  tell: () => 'The team has stopped.',
  run: async ({ teams, board_id }: TeamsContext) => {
    const team = teams.playing.get(board_id)
    if (team === undefined) throw new Problem('not_found', 'no team that was started here is at work on this goal')
    team.stop.abort()
    await team.done
    return teamAt(teams, board_id)
  },
})

export const viewTeam = defineOperation({
  name: 'board.view_team',
  summary: 'Say whether a team that was started through this server is at work, and what came of the last one',
  by: ['person'],
  effect: 'read',
  absent: { cli: foreground },
  input: z.strictObject({}),
  output: TeamState,
  example: {},
  tell: ({ at_work, ended }) => (at_work ? 'A team is at work.' : (ended ?? 'No team was started here.')),
  run: async ({ teams, board_id }: TeamsContext) => teamAt(teams, board_id),
})

/** Only a server has teams that work in the background. */
export const teamOperations = [startTeam, stopTeam, viewTeam] as const

async function play(context: TeamsContext, members: readonly MemberRequest[], means: TeamMeans, by: string): Promise<void> {
  const { board_id, driver, repository, teams } = context
  const { playing, ended } = teams
  const board = { driver, board_id, repository }
  const tell = (action: PlainAction, detail: string) => logActivity(board, { agent: by, action, detail })
  const say = (text: string) => void tell('team_says', text).catch(() => undefined) // a store that is away has other troubles
  const team = await teams.openStation(board, members, means, say)
  if (playing.has(board_id)) {
    team.feed.stop()
    throw new Problem('busy', 'a team that was started here is at work on this goal already')
  }
  runInBackground(playing, board_id, 'team of', async (signal) => {
    await tell('team_started', counted(members.length, 'agent'))
    const end = await runTeam(team, { members, untilDone: true, waitsForApproval: true }, signal).then(endText, messageOf)
    ended.set(board_id, end)
    playing.delete(board_id) // before it is said: who hears it looks
    await tell('team_ended', end)
  })
}

/** The files of a board are kept up to date only in the repository this process was started in. */
async function refuseElsewhere({ workspace, repository }: TeamsContext): Promise<void> {
  if ((await repositoryAt(workspace)) === repository.root) return
  throw new Problem('bad_input', `this server was started in ${workspace}; for a team at ${repository.root} start one there`)
}

function micro(usd: number | undefined): number | null {
  return usd === undefined ? null : Math.round(usd * 1_000_000)
}

function teamAt({ playing, ended }: TeamPlays, boardId: string): z.infer<typeof TeamState> {
  return { at_work: playing.has(boardId), ended: ended.get(boardId) ?? null }
}

function endText({ goal, members }: TeamEnd): string {
  if (goal !== 'IN_PROGRESS') return `the goal is ${goal}`
  return members.map(({ agent, reason, detail }) => `${agent} ${detail ?? reason.replace('_', ' ')}`).join(', ')
}
