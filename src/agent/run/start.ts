import type { NewAttachment } from '../../domain/attachment.ts'
import { noUsage } from '../../domain/entry.ts'
import { newId } from '../../domain/id.ts'
import { Problem } from '../../domain/problem.ts'
import { Run, runFlow, type Limits } from '../../domain/run.ts'
import { rootAuthority, type Authority } from '../../roles/delegation.ts'
import { existingFolder } from '../../sandbox/files/existing-folder.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { keepAttachments } from '../../store/attachments.ts'
import { entries, runs } from '../../store/run-tables.ts'
import { newEntry } from '../../store/thread.ts'
import type { AgentContext } from '../agent.ts'
import { cutRun } from './cut-run.ts'
import { leaseFields, refuseLeased } from './lease.ts'
import { usageOfThread } from '../limits.ts'

/** What a run is started with. Without a thread it gets a new one; without a prompt it goes on from the thread as it is. */
export interface RunRequest {
  agent_role: string
  model: string
  workspace: string
  prompt: string | null
  /** The id of the entry with the prompt, where whoever says it chose one. */
  prompt_id?: string | undefined
  attachments?: readonly NewAttachment[] | undefined
  thread_id?: string
  plan_id?: string | null
  /** Set where the run only sums up its thread. */
  compaction?: Run['compaction']
  /** How long its model thinks, where a person chose that; else as its role says. */
  reasoning?: Run['reasoning']
  limits?: Partial<Limits>
  /** `thread`: tokens and cost of all its runs together count against the limits. */
  limits_over?: 'thread'
  /** Set for a run that another run starts. */
  child?: Authority & { id: string; parent_run_id: string; depth: number }
  /** What the run may do where that is less than its role allows. */
  authority?: Authority
  /** What the caller stores in the same transaction. */
  also?: (tx: Driver, run: Run) => Promise<void>
}

/** Starts a run and holds it for this process. A thread that a living process works on is refused; what a dead one left is closed. */
export async function startRun(agent: AgentContext, request: RunRequest): Promise<Stored<Run>> {
  const { driver } = agent
  const now = agent.now()
  const run = newRun(agent, request, await leaseFields(driver), now)
  return driver.transaction(async (tx) => {
    await clearThread(tx, run.thread_id, now)
    if (request.prompt !== null) {
      const head = await newEntry(tx, run.thread_id, run.id, now)
      const attachments = await keepAttachments(tx, request.attachments ?? [])
      const said = { from: 'user' as const, text: request.prompt, ...(attachments.length > 0 && { attachments }) }
      await entries.add(tx, { ...head, id: request.prompt_id ?? head.id, ...said })
    }
    await request.also?.(tx, run)
    const spent_before = request.limits_over === 'thread' ? await usageOfThread(tx, run.thread_id) : noUsage
    return runs.add(tx, { ...run, spent_before })
  })
}

/** The role is fixed here, from what a person chose; nothing a model says later is looked at. */
function newRun(agent: AgentContext, request: RunRequest, lease: Partial<Run>, now: Date): Run {
  const { role } = agent.roles.resolve(request.agent_role)
  return Run.parse({
    id: newId('run', now),
    ...(request.child ?? request.authority ?? rootAuthority(role, agent.roles)),
    ...lease,
    thread_id: request.thread_id ?? newId('thread', now),
    agent_role: request.agent_role,
    model: request.model,
    workspace: existingFolder(request.workspace),
    plan_id: request.plan_id,
    compaction: request.compaction ?? null,
    reasoning: request.reasoning ?? role.reasoning ?? null,
    status: runFlow.initial,
    usage: noUsage,
    limits: request.limits ?? {},
    started_at: now.toISOString(),
  })
}

/** A new run begins: a question nobody answered is withdrawn, and what a killed process left open is closed. */
async function clearThread(tx: Driver, thread_id: string, now: Date): Promise<void> {
  const unfinished = await runs.list(tx, { where: { thread_id, status: ['running', 'waiting'] } })
  const held = await runs.list(tx, { where: { thread_id, lease_expires: { above: '' } } })
  for (const { item } of [...unfinished, ...held]) await refuseLeased(tx, item)
  for (const run of unfinished) {
    await cutRun(tx, run, new Problem('stopped', 'the user went on with another request'), now)
  }
}
