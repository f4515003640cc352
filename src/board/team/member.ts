import type { BoardAgent, TeamRole } from '../../domain/board/agent.ts'
import { boardKey } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'
import { boardAgents } from '../../store/tables.ts'
import type { Identity } from '../context.ts'
import { heartbeat } from '../agent/heartbeat.ts'
import { leaveBoard, agentReady, registerAgent } from '../agent/register.ts'
import type { TeamContext } from './context.ts'
import { boardOf } from '../find.ts'

export interface MemberRequest {
  role: TeamRole
  /** The id it was given; the first free one of its role when null. */
  id: string | null
  terminal?: string
}

/** An agent's place on the board: registered, kept alive by heartbeats, and lost when another process takes its name. */
export interface TeamMember {
  team: TeamContext
  role: TeamRole
  identity: Identity
  /** Ends when the process is to stop, or when the registration counts no more. */
  signal: AbortSignal
  /** While this is set, losing the task it names ends its signal. */
  hold(task: string): { signal: AbortSignal; release: () => void }
  context_percent: number
  /** A claim in the making is not to be mended by a heartbeat that finds its worktree missing: two would lay it out at once. */
  claiming: boolean
  /** Why its last try at something came to nothing; said when it stops for good. */
  trouble: string | null
  leave(reason: string): Promise<void>
}

/** The entry of an agent on the board, while it is still the one that was registered here. */
export async function memberRecord({ team: { board }, identity }: TeamMember): Promise<BoardAgent | null> {
  const found = await boardAgents.find(board.driver, boardKey({ board_id: board.board_id, id: identity.agent }))
  return found?.item.generation === identity.generation ? found.item : null
}

/** The board is the judge: an agent is through with a task when it no longer holds it. */
export async function isFinished(member: TeamMember, task: string): Promise<boolean> {
  const entry = await memberRecord(member)
  return entry !== null && entry.current_task !== task
}

/** How an agent came to its end, with what was in the way last. */
export function troubleText({ trouble }: Pick<TeamMember, 'trouble'>, ended: string): string {
  return trouble === null ? ended : `${ended}: ${trouble}`
}

/** Registers an agent, says that it is ready, and keeps its leases alive until it leaves. */
export async function joinTeam(context: TeamContext, { role, id, terminal }: MemberRequest, signal: AbortSignal): Promise<TeamMember> {
  const { board } = context
  const identity = await registerAgent(board, { ...(id === null ? { role } : { id }), terminal })
  await agentReady(board, identity)
  const { config } = await boardOf(board)
  const lost = new AbortController()
  let held: { task: string; lost: AbortController } | null = null

  async function beat(): Promise<void> {
    const watching = held
    try {
      const pulse = await heartbeat(board, identity, member.context_percent, member.claiming)
      if (watching !== null && pulse.task?.id !== watching.task) watching.lost.abort()
    } catch (error) {
      // Anything else passes: the store may be away for a moment, and the lease outlives several beats.
      if (error instanceof Problem && error.code === 'forbidden') lost.abort()
    }
  }

  const timer = setInterval(() => void beat(), config.heartbeat_interval * 1_000)
  // Whoever else does something about its task may have taken it away; until the next beat it would work for nothing.
  const stopListening = context.feed.listen((lines) => {
    if (lines.some(({ task, agent }) => task !== null && task === held?.task && agent !== identity.agent)) void beat()
  })
  const member: TeamMember = {
    team: context,
    role,
    identity,
    signal: AbortSignal.any([signal, lost.signal]),
    context_percent: 0,
    claiming: false,
    trouble: null,
    hold: (task) => {
      const mine = { task, lost: new AbortController() }
      held = mine
      return { signal: AbortSignal.any([member.signal, mine.lost.signal]), release: () => void (held = held === mine ? null : held) }
    },
    leave: async (reason) => {
      clearInterval(timer)
      stopListening()
      if (lost.signal.aborted) return
      // An entry that is no longer ours is not ours to remove.
      await leaveBoard(board, identity, reason).catch((error: unknown) => {
        if (!(error instanceof Problem) || error.code !== 'forbidden') throw error
      })
    },
  }
  return member
}
