import type { AssistantEntry, Entry } from '../../domain/entry.ts'
import { boundsOf, narrowedBounds } from '../../domain/bounds.ts'
import { narrowedPolicy, networkPolicy } from '../../domain/network/policy.ts'
import type { Plan } from '../../domain/plan.ts'
import type { Role } from '../../domain/role.ts'
import type { Run } from '../../domain/run.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import { composePrompt } from '../../roles/prompt.ts'
import type { Stored } from '../../store/collection.ts'
import { entries, plans } from '../../store/run-tables.ts'
import { countOutcome, noDenials, type Denials } from '../../tools/refusal.ts'
import { toolsFor } from '../../tools/authorize.ts'
import { executeCommandTool } from '../../tools/execute-command.ts'
import { withAllowed } from '../../tools/judge.ts'
import { DESCRIBE, toldTools } from '../../tools/outside/deferred.ts'
import type { GateContext, Tool } from '../../tools/tool.ts'
import type { AgentContext, ChosenModel } from '../agent.ts'
import { allowedFor } from '../person/allowed-commands.ts'
import { networkLeave } from '../person/network-leave.ts'
import { findApproval, recordStart } from '../person/approval-record.ts'
import { keeperFor } from '../keep-files.ts'
import { delegateTool, delegationLeave, type Delegating, type DelegationLeave, type PlayRun } from '../delegate.ts'
import { toldTo, type Told } from './told.ts'
import { surroundings } from '../surroundings.ts'
import { liveOutput } from './live-output.ts'
import { nearbyInstructions } from './nearby.ts'
import { isOpen, emitEvent, workedMs, type RunContext } from './context.ts'
import { isQueued, sizeOf, modelEntries } from '../model-entries.ts'
import { shownTo } from '../shown-files.ts'

/** What lasts as long as this process holds a run. */
type Held = Pick<GateContext, 'signal' | 'prepared' | 'background' | 'servers'>

/** Takes up a run that this process holds: reads its thread once, and makes ready what every turn needs. */
export async function openPlay(agent: AgentContext, run: Stored<Run>, held: Held, playRun: PlayRun): Promise<RunContext> {
  const { item } = run
  const { role } = agent.roles.resolve(item.agent_role)
  const thread = await entries.list(agent.driver, { where: { thread_id: item.thread_id }, order: ['number'] })
  const plan = item.plan_id === null ? null : (await plans.get(agent.driver, item.plan_id)).item
  const said = thread.map((stored) => stored.item)
  const leave = await delegationLeave(agent.driver, item, said)
  const performer = await performerOf(agent, item)
  const told = await toldTo(agent, role, item)
  const gate: GateContext = {
    ...subjectOf(agent, role, item, performer),
    skillFolders: told.skillFolders,
    ...held,
    plan,
    tools: toolsOf(agent, role, told, () => ({ run: context.run.item, workedMs: workedMs(context) }), playRun, leave),
    ...knownOf(item, role, said),
    onOutput: (chunk, callId) => output.hear(chunk, callId),
    ...approvalsOf(() => context),
  }
  const output = liveOutput(agent.secrets ?? [], (call_id, text) => emitEvent(context, { type: 'tool_output', call_id, text }))
  const offered = toldTools(gate.tools, toolsFor(await withAllowed(gate, executeCommandTool), gate.tools), describedIn(said))
  gate.tools = offered.tools
  const sections = { ...told.sections, ...agent.sections }
  const system = composePrompt({ role, tools: offered.first, ...situationOf(agent, gate, plan), sections })
  const view = modelEntries(said).filter((entry) => entry.from !== 'tool' || !isOpen(entry))
  const context: RunContext = {
    agent,
    role,
    performer,
    gate,
    output,
    get specs() {
      return offered.specs()
    },
    signal: held.signal,
    run,
    system,
    told,
    view,
    size: sizeOf(view) + Math.ceil(system.length / 4),
    ...standingIn(thread, item),
    since: performance.now(),
    writing: Promise.resolve(),
  }
  return context
}

/** What the thread shows that a run which is taken up must go on with. */
function knownOf(run: Run, role: Role, said: readonly Entry[]): Pick<GateContext, 'denials' | 'nearby'> {
  return { denials: denialsIn(said, run.id), nearby: nearbyInstructions(run, role, said) }
}

/** The model of a run, about which is known what its server can tell. */
async function performerOf(agent: AgentContext, run: Run): Promise<ChosenModel> {
  const performer = await agent.chosenModelFor(run, { approvals: agent.approvals })
  await performer.provider.learn?.(performer.model)
  return performer
}

/** The store's side of approvals. */
function approvalsOf(context: () => RunContext): Pick<GateContext, 'findApproval' | 'recordStart'> {
  return { findApproval: (wanted) => findApproval(context(), wanted), recordStart: (started) => recordStart(context(), started) }
}

/** How far the thread has come. */
function standingIn(thread: readonly Stored<Entry>[], { id, waited_ms }: Run) {
  return {
    ...lastReply(thread, id),
    callIds: new Set(thread.flatMap(({ item }) => (item.from === 'assistant' ? item.calls.map((call) => call.id) : []))),
    heardUpTo: beforeQueued(thread),
    workedMs: sumOfWork(thread, id) + waited_ms,
  }
}

/** Where and under what the run works, as its prompt says it. */
function situationOf(agent: AgentContext, gate: GateContext, plan: Plan | null) {
  return {
    workspace: gate.root,
    surroundings: surroundings(gate, agent.now()),
    permissions: gate.permissions,
    ...(plan?.status === 'approved' && { approvedPlan: plan }),
  }
}

function toolsOf(
  agent: AgentContext,
  role: Role,
  told: Told,
  parent: () => Delegating,
  playRun: PlayRun,
  leave: DelegationLeave,
): readonly Tool[] {
  const tools = [...agent.tools, ...told.tools]
  return role.can_delegate_to_roles.length === 0 ? tools : [...tools, delegateTool(agent, role, parent, playRun, leave)]
}

/** What the gate judges by. A role file that was tightened since the run began counts at once; one that was widened does not. */
function subjectOf(agent: AgentContext, role: Role, run: Run, performer: ChosenModel) {
  const bounds = narrowedBounds(run.bounds, boundsOf(role))
  return {
    role: run.agent_role,
    role_name: role.name,
    permissions: run.permissions.filter((permission) => role.permissions.includes(permission)),
    approvals: agent.approvals,
    sandbox: agent.sandbox,
    takes: shownTo(performer),
    root: run.workspace,
    thread_id: run.thread_id,
    run_id: run.id,
    commands: { ...agent.commands, network: narrowedPolicy(agent.commands.network, networkPolicy(bounds.network)) },
    bounds,
    networkLeave: networkLeave(agent.driver, run, !agent.approvals.never_ask, agent.now),
    allowedCommands: () => allowedFor(agent.driver, run),
    ...(agent.secrets && { secrets: agent.secrets }),
    ...definedOnly({ keeper: keeperFor(agent, run) }),
  }
}

/** The reply whose calls may still lack an answer: the last one of the run. */
function lastReply(thread: readonly Stored<Entry>[], runId: string): Pick<RunContext, 'reply' | 'answers'> {
  const at = thread.findLastIndex(({ item }) => item.from === 'assistant' && item.run_id === runId)
  const reply = thread[at]?.item
  const after = at === -1 ? [] : thread.slice(at + 1)
  const answers: RunContext['answers'] = new Map()
  for (const { item, version } of after) if (item.from === 'tool') answers.set(item.call_id, { item, version })
  return { reply: reply?.from === 'assistant' ? reply : null, answers }
}

/** The tools that the model asked about, so that a resumed run, and the next one of a chat, goes on with them. */
function describedIn(thread: readonly Entry[]): Set<string> {
  const names = thread.flatMap((entry) => (entry.from === 'tool' && entry.tool === DESCRIBE ? entry.details['described'] : []))
  return new Set(names.filter((name) => typeof name === 'string'))
}

/** How often calls of the run were denied, so that a resumed run goes on counting. */
function denialsIn(thread: readonly Entry[], runId: string): Denials {
  const denials = noDenials()
  let reply: AssistantEntry | null = null
  for (const entry of thread) {
    if (entry.run_id !== runId) continue
    if (entry.from === 'assistant') reply = entry
    const call = entry.from === 'tool' && reply?.calls.find(({ id }) => id === entry.call_id)
    if (call) countOutcome(denials, call, entry.outcome)
  }
  return denials
}

/** Behind this number stands all that the user said and no model has seen. */
function beforeQueued(thread: readonly Stored<Entry>[]): number {
  const first = thread.find(({ item }) => isQueued(item))?.item.number
  return first === undefined ? (thread.at(-1)?.item.number ?? -1) : first - 1
}

function sumOfWork(thread: readonly Stored<Entry>[], runId: string): number {
  return thread.reduce((sum, { item }) => (item.run_id === runId && 'took_ms' in item ? sum + item.took_ms : sum), 0)
}
