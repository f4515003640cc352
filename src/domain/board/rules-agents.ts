import { AgentId, agentFlow, roleOfAgent } from './agent.ts'
import {
  applyRules,
  hasValue,
  textField,
  type Loose,
  type LooseState,
  type BoardRule,
  type Violation,
  violation,
  type BoardFacts,
} from './rule.ts'

/** A lease that ran out a moment ago may be about to be renewed. */
const GRACE_MS = 60_000

/** The rules about agents. */
export function agentRules({ agents, tasks }: LooseState, world: BoardFacts): Violation[] {
  return [
    ...applyRules(agents, rules),
    ...agents.flatMap((agent) => lateLease(agent, world)),
    ...doubleClaims(tasks),
    ...lostWork(agents, tasks),
  ]
}

// oxfmt-ignore
const rules: readonly BoardRule[] = [
  [19, (agent) => agent['status'] === 'WORKING' && !hasValue(agent, 'current_task') && 'a WORKING agent has a current_task'],
  [26, (agent) => agent['status'] === 'WORKING' && !hasValue(agent, 'lease_expires') && 'a WORKING agent has a lease'],
  [46, (agent) => !AgentId.safeParse(agent['id']).success && 'the id of an agent is coder-N, code-reviewer-N or planner-N'],
  [47, (agent) => AgentId.safeParse(agent['id']).success && hasValue(agent, 'role') && roleOfAgent(textField(agent, 'id')) !== textField(agent, 'role').replaceAll('-', '_') && 'its role is not the one its id states'],
  [48, (agent) => hasValue(agent, 'status') && !agentFlow.states.some((state) => state === agent['status']) && `${JSON.stringify(agent['status'])} is not a state of an agent`],
]

/** Late, not wrong: another agent may take the task over. */
function lateLease(agent: Loose, { now }: BoardFacts): Violation[] {
  const lease = Date.parse(textField(agent, 'lease_expires'))
  if (agent['status'] !== 'WORKING' || Number.isNaN(lease) || lease + GRACE_MS >= now.getTime()) return []
  const message = `its lease ran out at ${textField(agent, 'lease_expires')}`
  return [{ ...violation(26, textField(agent, 'id'), message), severity: 'warning' }]
}

/** A coder works on one task at a time; it may have others that wait for review or were sent back. */
function doubleClaims(tasks: readonly Loose[]): Violation[] {
  const claimed = tasks.filter((task) => task['status'] === 'CLAIMED' && hasValue(task, 'assigned_to'))
  const byCoder = Map.groupBy(claimed, (task) => textField(task, 'assigned_to'))
  return [...byCoder]
    .filter(([, held]) => held.length > 1)
    .map(([coder, held]) => violation(10, coder, `it holds ${held.map((task) => textField(task, 'id')).join(' and ')} at once`))
}

/** An agent is at work on what it holds. */
function lostWork(agents: readonly Loose[], tasks: readonly Loose[]): Violation[] {
  const byId = new Map(tasks.map((task) => [textField(task, 'id'), task]))
  return agents.flatMap((agent): Violation[] => {
    const [id, at] = [textField(agent, 'id'), textField(agent, 'current_task')]
    if (at === '') return []
    const task = byId.get(at)
    if (task === undefined) return [violation(49, id, `its current_task ${at} is not on the board`)]
    if (textField(task, 'assigned_to') === id || textField(task, 'reviewing_by') === id) return []
    return [violation(49, id, `it is at ${at}, which is in other hands`)]
  })
}
