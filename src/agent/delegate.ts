import { hash } from 'node:crypto'
import * as z from 'zod'
import type { Entry, ToolCall } from '../domain/entry.ts'
import { isFinal } from '../domain/flow.ts'
import { readsOnly } from '../domain/permission.ts'
import { canChange, modelsOf, type Role } from '../domain/role.ts'
import { runFlow, type Limits, type Run } from '../domain/run.ts'
import { ceiling, checkDelegationLimits, childAuthority } from '../roles/delegation.ts'
import type { Roles } from '../roles/roles.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { questions, runs } from '../store/run-tables.ts'
import { APPROVE } from '../tools/approval-question.ts'
import { defineTool } from '../tools/gate.ts'
import type { Tool, ToolAnswer } from '../tools/tool.ts'
import type { AgentContext } from './agent.ts'
import { isAsking } from './person/answer.ts'
import { finalText } from './final-text.ts'
import { addUsage, reachedRunLimit } from './limits.ts'
import { resumeRun } from './run/resume.ts'
import { startRun } from './run/start.ts'

/** The run that delegates, and how long it has worked by now. */
export interface Delegating {
  run: Run
  workedMs: number
}

/** The loop, handed in: a child is played by the same loop as its parent. */
export type PlayRun = (agent: AgentContext, run: Stored<Run>, signal: AbortSignal) => Promise<Run>

const Task = z.strictObject({ role: z.string(), task: z.string().min(1) })

/** The tool by which a role has another role do a part of the work. What the child may do is computed here, never asked for. */
export function delegateTool(
  agent: AgentContext,
  role: Role,
  parent: () => Delegating,
  playRun: PlayRun,
  leave: DelegationLeave,
): Tool<z.infer<typeof Task>> {
  const roles = role.can_delegate_to_roles.join(', ')
  return defineTool({
    name: 'delegate',
    description: `Have an agent in another role do a part of the work and report back. It knows only what the task says. Roles: ${roles}.`,
    required_permissions: ['read_files'],
    roles: [role.id],
    input: Task,
    asks: (task) => (leave.given ? null : whyAsked(agent.roles, role, task.role)),
    run: async (task, { call_id, signal }) => {
      leave.given ||= whyAsked(agent.roles, role, task.role) !== null
      return answerOf(agent.driver, await playChild(agent, parent(), call_id, task, playRun, signal))
    },
  })
}

/** Whether the user has agreed that a role which only reads has others change something. */
export interface DelegationLeave {
  given: boolean
}

/** A role that only reads sets changes in motion by starting one that makes them; the person who chose it may not have meant that. */
function whyAsked(roles: Roles, role: Role, child: string): string | null {
  const started = roles.get(child)
  if (started === undefined || !readsOnly(role.permissions) || !canChange(ceiling(started, roles))) return null
  return `${role.name} changes nothing itself, and ${started.name} can. Once you agree, it starts further agents without asking, until the role is switched`
}

/** The leave a chat has: of the one who was started by another agent, that one was asked about. */
export async function delegationLeave(driver: Driver, run: Run, thread: readonly Entry[]): Promise<DelegationLeave> {
  if (run.parent_run_id !== null) return { given: true }
  const switched = thread.findLast((entry) => entry.from === 'note' && entry.type === 'role_change')?.at ?? ''
  const asked = await questions.items(driver, { where: { thread_id: run.thread_id, status: 'answered' } })
  const given = asked.some(
    ({ approval, answer, created_at }) =>
      approval?.tool === 'delegate' && approval.used_at !== null && answer?.value === APPROVE && created_at > switched,
  )
  return { given }
}

/** The run that a call to `delegate` starts. */
export function childRunId(parentId: string, callId: string): string {
  return `run_${hash('sha256', `${parentId} ${callId}`).slice(0, 25)}`
}

/** Which role a call would have the work done by; an empty name when its arguments do not say. */
export function delegatedRole(call: ToolCall): string {
  return Task.safeParse(call.input).data?.role ?? ''
}

/** The child of a call is found again by its id, so that a killed parent goes on with the one it had started. */
async function playChild(
  agent: AgentContext,
  parent: Delegating,
  callId: string,
  task: z.infer<typeof Task>,
  playRun: PlayRun,
  signal: AbortSignal,
): Promise<Run> {
  const id = childRunId(parent.run.id, callId)
  const found = await runs.find(agent.driver, id)
  if (found && (isFinal(runFlow, found.item.status) || (await isAsking(agent.driver, found.item)))) return found.item
  const held = found ? await resumeRun(agent, id) : await startChild(agent, parent, id, task)
  return playRun(agent, held, signal)
}

async function startChild(
  agent: AgentContext,
  { run: parent, workedMs }: Delegating,
  id: string,
  given: z.infer<typeof Task>,
): Promise<Stored<Run>> {
  const { role, task } = given
  const { roles } = agent
  const authority = childAuthority(parent, role, roles)
  refuseSpent(parent, workedMs)
  const [first = 'default'] = modelsOf(roles.need(role))
  return startRun(agent, {
    agent_role: role,
    model: first === 'default' ? parent.model : first,
    workspace: parent.workspace,
    prompt: task,
    plan_id: parent.plan_id,
    limits: whatIsLeft(parent, workedMs),
    child: { id, parent_run_id: parent.id, depth: parent.depth + 1, ...authority },
    // Counted in the transaction that adds the child: the others of the same reply start at the same time.
    also: async (tx) => {
      const children = await runs.count(tx, { parent_run_id: parent.id })
      const total = await countBelow(tx, await rootOf(tx, parent))
      checkDelegationLimits(agent.delegation, { depth: parent.depth, children, total })
    },
  })
}

/** A child whose parent has nothing left could not ask its model once. */
function refuseSpent(parent: Run, workedMs: number): void {
  const reached = reachedRunLimit(parent, workedMs)
  if (reached !== null && reached.name !== 'max_turns') throw reached.problem
}

async function answerOf(driver: Driver, child: Run): Promise<ToolAnswer> {
  const details = { child_run_id: child.id, usage: child.usage }
  if (child.status === 'waiting') {
    return { output: `${child.agent_role} waits for a person`, details: { ...details, question_id: child.question_id }, ends: 'waiting' }
  }
  const text = await finalText(driver, child)
  if (child.status === 'completed') return { output: text, details }
  return { output: `${child.agent_role} ended ${child.status} (${child.reason}). Its last words: ${text}`, details, failed: true }
}

/** A child spends from what its parent may still spend. */
function whatIsLeft({ limits, spent_before, usage: ofRun }: Run, workedMs: number): Partial<Limits> {
  const usage = addUsage(spent_before, ofRun)
  const { max_turns, max_tokens, max_cost_microusd, max_wall_ms } = limits
  return {
    max_turns,
    max_tokens: max_tokens === null ? null : Math.max(1, max_tokens - usage.input_tokens - usage.output_tokens),
    max_cost_microusd: max_cost_microusd === null ? null : Math.max(0, max_cost_microusd - (usage.cost_microusd ?? 0)),
    max_wall_ms: max_wall_ms === null ? null : Math.max(1, max_wall_ms - workedMs),
  }
}

async function rootOf(driver: Driver, run: Run): Promise<Run> {
  return run.parent_run_id === null ? run : rootOf(driver, (await runs.get(driver, run.parent_run_id)).item)
}

async function countBelow(driver: Driver, run: Run): Promise<number> {
  const children = await runs.items(driver, { where: { parent_run_id: run.id } })
  const below = await Promise.all(children.map((child) => countBelow(driver, child)))
  return below.reduce((sum, count) => sum + count, children.length)
}
