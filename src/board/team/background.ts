import { runInBackground, type Playing } from '../../agent/background.ts'
import { counted } from '../../domain/text/counted.ts'
import { messageOf, Problem } from '../../domain/problem.ts'
import { boards } from '../../store/tables.ts'
import { logActivity } from '../activity.ts'
import type { BoardRepository } from '../desk.ts'
import type { MemberRequest } from './member.ts'
import type { Budgets, TeamContext } from './context.ts'
import { runTeam, teamOf, type TeamEnd } from './team.ts'

/** Opens a station for these members at a board; refused where one of them has no model that can be asked. */
type OpenStation = (
  board: BoardRepository,
  members: readonly MemberRequest[],
  budgets: Budgets,
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

/** How large a team is to be, and what it may spend. */
export type TeamWish = Parameters<typeof teamOf>[0] & { team_microusd: number | null }

/** Starts a team that works until its goal is reached, and comes back at once. How it goes is in the log of the board. */
export async function startTeam(plays: TeamPlays, board: BoardRepository, { team_microusd, ...size }: TeamWish, by: string): Promise<void> {
  const { playing, ended } = plays
  const { driver, board_id } = board
  const { goal } = (await boards.get(driver, board_id)).item
  const members = teamOf(size)
  if (members.length === 0) throw new Problem('bad_input', 'a team without members does nothing; give it coders, reviewers or a planner')
  if (goal.status !== 'IN_PROGRESS') throw new Problem('move_refused', `this goal is ${goal.status}; a team needs one that is open`)
  const tell = (action: string, detail: string) => logActivity(board, { agent: by, action, detail })
  const say = (text: string) => void tell('team_says', text).catch(() => undefined) // a store that is away has other troubles
  const team = await plays.openStation(board, members, { task_microusd: null, team_microusd, day_microusd: null }, say)
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

/** Stops the team of a board and waits until its agents have given back what they held. */
export async function stopTeam({ playing }: TeamPlays, boardId: string): Promise<void> {
  const team = playing.get(boardId)
  if (team === undefined) throw new Problem('not_found', 'no team that was started here is at work on this goal')
  team.stop.abort()
  await team.done
}

/** How the team of a board that was started here is doing. */
export function teamAt({ playing, ended }: TeamPlays, boardId: string): { at_work: boolean; ended: string | null } {
  return { at_work: playing.has(boardId), ended: ended.get(boardId) ?? null }
}

function endText({ goal, members }: TeamEnd): string {
  if (goal !== 'IN_PROGRESS') return `the goal is ${goal}`
  return members.map(({ agent, reason, detail }) => `${agent} ${detail ?? reason.replace('_', ' ')}`).join(', ')
}
