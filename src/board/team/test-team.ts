import type { Cleanup } from '../../sandbox/test-folder.ts'
import { until } from '../../sandbox/test-until.ts'
import { plainAgent } from '../../agent/test-agent.ts'
import type { TeamRole } from '../../domain/board/agent.ts'
import type { ModelRequest } from '../../providers/provider.ts'
import type { ScriptStep } from '../../providers/script/script.ts'
import { scriptedProvider } from '../../providers/script/scripted.ts'
import { readActivity } from '../activity.ts'
import type { BoardWorkspace } from '../context.ts'
import { aRejection } from '../test-board.ts'
import { openBoardFeed } from './board-feed.ts'
import type { MemberRequest } from './member.ts'
import type { Budgets, TeamContext } from './context.ts'
import { superviseAgent, type SupervisionEnd } from './supervise.ts'
import type * as z from 'zod'

/** What a scripted agent sees of its situation. */
export interface Scene {
  role: TeamRole
  agent: string
  task: string
  iteration: number
  system: string
  /** How many replies its thread holds. */
  asked: number
  /** What it was told last. */
  user: string
}

type Step = z.input<typeof ScriptStep>

/** Plays the agents of a team: one function for each role says what it does next. */
export type Cast = Partial<Record<TeamRole, (scene: Scene) => Step | Promise<Step>>>

export const planner = { role: 'planner', id: null } as const
export const coder = { role: 'coder', id: null } as const
export const reviewer = { role: 'code_reviewer', id: null } as const

/** Nobody stops it. */
export const never = new AbortController().signal

/** Nothing is limited. */
export const noBudgets: Budgets = { task_microusd: null, team_microusd: null, day_microusd: null }

/** A supervising process on a test board, with a script instead of a model and no long waits. */
export async function testStation(t: Cleanup, board: BoardWorkspace, cast: Cast, over: Partial<TeamContext> = {}): Promise<TeamContext> {
  const provider = scriptedProvider([async (request) => ({ repeat: true, ...(await play(cast, request)) })])
  const feed = await openBoardFeed(board)
  t.after(async () => feed.stop())
  return {
    board,
    agent: await plainAgent({ driver: board.driver, chosenModelFor: async () => ({ provider, model: 'test' }) }),
    modelOf: () => 'scripted/test',
    limits: {},
    budgets: noBudgets,
    pace: { contention_ms: [1, 5], restart_ms: 1, restart_cap_ms: 20, silence_ms: 600_000 },
    feed,
    onRun: () => undefined,
    say: () => undefined,
    ...over,
  }
}

/** A call of one tool. */
export function call(tool: string, input: object = {}): Step {
  return { calls: [{ tool, input }] }
}

/** A coder that writes a file, commits and submits. */
export function coding(file: (scene: Scene) => string): NonNullable<Cast['coder']> {
  return (scene) => {
    const steps = [
      call('create_file', { path: file(scene), content: 'users\n' }),
      call('commit_work', { message: `Work on ${scene.task}` }),
      call('submit_for_review'),
    ]
    return steps[scene.asked] ?? { text: 'There is nothing left to do.' }
  }
}

/** A reviewer that approves what it sees, every earlier blocker included. */
export function approving({ system }: Pick<Scene, 'system'>): Step {
  const earlier = [...system.matchAll(/^- (\d+\.\d+) /gm)].map(([, id]) => ({ id, status: 'RESOLVED' }))
  const criteria = [{ criterion: 'done_when', evidence: 'the file is there' }]
  return call('submit_verdict', { verdict: 'APPROVED', criteria, prior_findings: earlier })
}

/** A reviewer that rejects what it sees. */
export function rejecting(): Step {
  const { review_commit: _, ...verdict } = aRejection('') // the supervisor knows the commit
  return call('submit_verdict', verdict)
}

/** Supervises an agent until a fact holds, and stops it then. */
export async function superviseUntil(team: TeamContext, request: MemberRequest, fact: () => Promise<boolean>): Promise<SupervisionEnd> {
  const stop = new AbortController()
  const supervised = superviseAgent(team, request, stop.signal)
  await until(fact)
  stop.abort()
  return supervised
}

/** The actions of the activity log in short, `who action task`. */
export async function actionsOf(board: BoardWorkspace): Promise<string[]> {
  const lines = await readActivity(board.driver, board.board_id)
  return lines.map(({ agent, action, task }) => [agent, action, task].filter(Boolean).join(' '))
}

function play(cast: Cast, request: ModelRequest): Step | Promise<Step> {
  const { system } = request
  const [, agent = ''] = /You are ((?:coder|code-reviewer|planner)-\d+)/.exec(system) ?? []
  const role: TeamRole = agent.startsWith('planner') ? 'planner' : agent.startsWith('coder') ? 'coder' : 'code_reviewer'
  const scene: Scene = {
    role,
    agent,
    task: /^TASK ID: (.+)$/m.exec(system)?.[1] ?? '',
    iteration: Number(/^ITERATION: (\d+)$/m.exec(system)?.[1] ?? 1),
    system,
    asked: request.entries.filter((entry) => entry.from === 'assistant').length,
    user: request.entries.findLast((entry) => entry.from === 'user')?.text ?? '',
  }
  return cast[role]?.(scene) ?? { text: 'I have no part in this.' }
}
