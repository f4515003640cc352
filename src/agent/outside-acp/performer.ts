import { hash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { noUsage, type Entry, type ToolCall, type Usage } from '../../domain/entry.ts'
import { Problem } from '../../domain/problem.ts'
import { readBareLimit } from '../../domain/quota/limit-message.ts'
import type { Run } from '../../domain/run.ts'
import type { ModelReply, ModelRequest, ModelWatch } from '../../providers/provider.ts'
import { removeFolder } from '../../sandbox/files/remove-folder.ts'
import { scratchFolder } from '../../sandbox/files/scratch-folder.ts'
import type { SandboxState } from '../../sandbox/sandbox.ts'
import type { Driver } from '../../store/driver.ts'
import type { ApprovalSettings } from '../../tools/approvals.ts'
import type { ChosenModel } from '../agent.ts'
import { accessOf, commandFor, wholePrompt, spoken, type OutsideAgent } from '../outside.ts'
import { answerOpen, callsFor } from './asked.ts'
import { toldUpdates } from './told.ts'
import { openAgentSession, refuse, type AgentSession } from './session.ts'
import { keepSession, takeSession } from './warm-sessions.ts'

/** Who plays a run over the Agent Client Protocol, and what it is held to. */
export interface AcpPlay {
  outside: OutsideAgent
  run: Run
  sandbox: SandboxState
  approvals: ApprovalSettings | undefined
  driver: Driver
}

const TIMEOUT_MS = 60 * 60_000
const PROCESS_MS = 24 * 60 * 60_000

/** An outside agent that plays a run over the Agent Client Protocol: in the sandbox of the run's role, and open for the next prompt of its thread. */
export function acpAgentModel(play: AcpPlay): ChosenModel {
  const { outside, run } = play
  let size: number | null = null
  const ask = async (request: ModelRequest, signal: AbortSignal, watch: ModelWatch = {}): Promise<ModelReply> => {
    const key = keyOf(play)
    const session = takeSession(key) ?? (await freshSession(play))
    try {
      const reply = await turn(play, session, request, AbortSignal.any([signal, deadline(run)]), watch)
      size = session.context?.size ?? null
      await keepSession(key, session)
      return reply
    } catch (error) {
      const isSound = await session.cancel()
      if (isSound) await keepSession(key, session)
      else await session.close()
      if (signal.aborted) throw new Problem('stopped', `${outside.name} was stopped`, { cause: error })
      if (error instanceof Problem) throw error
      throw new Problem('budget', `${outside.name} did not finish in its time and was ended`, { cause: error })
    }
  }
  return { provider: { name: outside.name, contextWindow: () => size, ask }, model: run.model, acts: accessOf(run) === 'change' }
}

/** One prompt, from what is to be said to what it answers, or to what a person must answer first. */
async function turn(
  play: AcpPlay,
  session: AgentSession,
  request: ModelRequest,
  signal: AbortSignal,
  watch: ModelWatch,
): Promise<ModelReply> {
  const { outside, run } = play
  const before = session.spent
  if (!(await answerOpen(session, request.entries, play.driver))) await promptWith(session, request)
  const told = toldUpdates(run.workspace, outside.name, watch)
  const reply = (text: string, calls: ToolCall[], stop: ModelReply['stop']): ModelReply => ({
    text,
    calls,
    usage: usageSince(session, before),
    model: run.model,
    stop,
  })
  try {
    for (;;) {
      const happening = await session.next(signal)
      if (happening.type === 'failed') throw happening.problem
      if (happening.type === 'update') {
        await told.tell(happening.update, session)
        refuseBeyondLimits(run, usageSince(session, before))
      }
      if (happening.type === 'asked') {
        const calls = callsFor(happening.asked, play, session)
        if (calls.length > 0) return reply(told.text(), calls, 'calls')
      }
      if (happening.type === 'ended') {
        await told.end('interrupted')
        return reply(...lastReply(outside.name, told.text(), happening.response.stopReason))
      }
    }
  } finally {
    if (session.open.size === 0) await told.end('interrupted')
  }
}

function lastReply(name: string, text: string, reason: string): [string, ToolCall[], ModelReply['stop']] {
  if (reason === 'cancelled') throw new Problem('provider_failed', `${name} stopped by itself`)
  const limit = readBareLimit(text, new Date())
  if (limit !== null) throw new Problem('provider_failed', `${name} said: ${limit.message}`)
  return [text.trim(), [], reason === 'max_tokens' ? 'length' : reason === 'refusal' ? 'filtered' : 'end']
}

/** A session that knows the thread is told what is new in it; a fresh one all of it. */
async function promptWith(session: AgentSession, request: ModelRequest): Promise<void> {
  for (const asked of session.open.values()) refuse(asked)
  session.open.clear()
  if (session.isPrompting()) await session.cancel()
  const isNew = session.told.size === 0
  const fresh = request.entries.filter(({ id }) => !session.told.has(id))
  const system = session.system === request.system ? '' : isNew ? '' : `Your instructions are now:\n\n${request.system}`
  const text = isNew ? wholePrompt(request) : [system, ...fresh.map(spokenToIt).filter(Boolean)].filter(Boolean).join('\n\n')
  for (const { id } of request.entries) session.told.add(id)
  session.system = request.system
  session.prompt(text === '' ? 'Continue where you stopped.' : text)
}

/** What it said itself it knows. */
function spokenToIt(entry: Entry): string {
  return entry.from === 'assistant' ? '' : spoken(entry)
}

function usageSince({ spent, context }: AgentSession, before: number | null): Usage {
  const cost_microusd = spent === null ? null : spent - (before ?? 0)
  return { ...noUsage, input_tokens: context?.used ?? 0, cost_microusd, ...(context !== null && { estimated: true as const }) }
}

/** What an agent spends within one prompt counts while it works: it may work for an hour. */
function refuseBeyondLimits({ limits, usage, agent_role }: Run, used: Usage): void {
  const { max_cost_microusd: most } = limits
  if (most === null || used.cost_microusd === null || (usage.cost_microusd ?? 0) + used.cost_microusd < most) return
  throw new Problem('budget', `${agent_role} spent all it may; the agent was stopped`, { details: { usage: used } })
}

function deadline({ limits }: Run): AbortSignal {
  return AbortSignal.timeout(Math.min(TIMEOUT_MS, limits.max_wall_ms ?? Infinity))
}

async function freshSession({ outside, run, sandbox }: AcpPlay): Promise<AgentSession> {
  const scratch = await scratchFolder(tmpdir(), 'troupe-agent-')
  const { stdin: _, ...command } = await commandFor(outside, run, '', scratch)
  try {
    const session = await openAgentSession(outside.name, { ...command, timeoutMs: PROCESS_MS }, sandbox, run)
    const close = async () => {
      await session.close()
      await removeFolder(scratch)
    }
    return { ...session, close }
  } catch (error) {
    await removeFolder(scratch)
    throw error
  }
}

/** A session is used again only for the same thread, by the same agent, with the same rights in the same place. */
function keyOf({ outside, run }: AcpPlay): string {
  const { thread_id, agent_role, permissions, bounds, workspace } = run
  return hash('sha256', JSON.stringify([outside, thread_id, agent_role, permissions, bounds, workspace]))
}
