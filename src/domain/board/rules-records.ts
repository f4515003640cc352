import { anomalyFaults, anomalyTypes } from './record.ts'
import {
  asFields,
  hasValue,
  textField,
  textsField,
  type Loose,
  type LooseState,
  type Violation,
  violation,
  type BoardFacts,
} from './rule.ts'
import { BoardConfig, goalFlow, heartbeatFault, sprintFlow } from './board.ts'

/** Details each type of anomaly must have, by the number of the rule that says so. */
const detailRules = { retry_loop: 28, trade_off: 29, external_blocker: 30, assumption_violated: 31, system_ambiguity: 32 } as const

/** The rules about everything beside tasks and agents. */
export function recordRules(state: LooseState, world: BoardFacts): Violation[] {
  return [
    ...goalRules(state, world),
    ...handoffRules(state),
    ...discoveryRules(state),
    ...anomalyRules(state),
    ...sprintRules(state),
    ...configRules(state),
  ]
}

/** A goal that is over may have outlived its spec. */
function goalRules({ fields }: LooseState, { specExists }: BoardFacts): Violation[] {
  const goal = asFields(fields['goal']) ?? {}
  const file = textField(goal, 'spec_ref').split('#')[0] ?? ''
  const matters = file !== '' && goal['status'] === 'IN_PROGRESS' && goal['spec_file_unchecked'] !== true
  if (!matters || specExists === null || specExists(file)) return []
  return [violation(52, 'goal', `its spec ${file} is not there`)]
}

function handoffRules({ fields }: LooseState): Violation[] {
  return Object.entries(asFields(fields['handoff']) ?? {}).flatMap(([task, entry]) => {
    const handoff = asFields(entry) ?? {}
    return ['summary', 'next_action'].flatMap((field) =>
      hasValue(handoff, field) ? [] : [violation(24, task, `its handoff has no ${field}`)],
    )
  })
}

function discoveryRules({ fields, tasks }: LooseState): Violation[] {
  const ids = new Set(tasks.map((task) => textField(task, 'id')))
  return entriesOf(fields, 'discovered').flatMap((found, at) => {
    const subject = textField(found, 'id') || `discovered.${at}`
    const [urgency, task] = [found['urgency'], textField(found, 'converted_to_task')]
    const isUrgency = urgency === undefined || urgency === null || urgency === 'deferred' || urgency === 'immediate'
    return [
      ...(isUrgency ? [] : [violation(25, subject, `${JSON.stringify(urgency)} is not an urgency; use immediate or deferred`)]),
      ...(task === '' || ids.has(task) ? [] : [violation(54, subject, `it became ${task}, which is not on the board`)]),
    ]
  })
}

function anomalyRules({ fields }: LooseState): Violation[] {
  return entriesOf(fields, 'anomalies').flatMap((anomaly, at) => {
    const subject = `anomalies.${at}`
    const type = anomalyTypes.find((name) => name === anomaly['type'])
    if (type === undefined) return [violation(27, subject, `${JSON.stringify(anomaly['type'])} is not a kind of anomaly`)]
    const rule = Object.entries(detailRules).find(([name]) => name === type)?.[1]
    return rule === undefined ? [] : anomalyFaults(type, anomaly['details']).map((fault) => violation(rule, subject, `${type}: ${fault}`))
  })
}

function sprintRules({ fields, tasks }: LooseState): Violation[] {
  const [sprint, goal] = [asFields(fields['sprint']), asFields(fields['goal'])]
  const ids = new Set(tasks.map((task) => textField(task, 'id')))
  const scope = asFields(sprint?.['scope']) ?? {}
  const strangers = (rule: number, list: string) =>
    textsField(scope, list).flatMap((id) =>
      ids.has(id) ? [] : [violation(rule, 'sprint', `scope.${list} names ${id}, which is not on the board`)],
    )
  const started = hasValue(asFields(sprint?.['timeline']) ?? {}, 'started')
  return [
    ...(sprint !== null && !known(sprintFlow.states, sprint['status'])
      ? [violation(33, 'sprint', `${JSON.stringify(sprint['status'])} is not a state of a sprint`)]
      : []),
    ...(sprint !== null && goal !== null && sprint['goal_ref'] !== goal['id']
      ? [violation(34, 'sprint', `its goal_ref is not the goal ${textField(goal, 'id')}`)]
      : []),
    ...strangers(35, 'planned'),
    ...strangers(36, 'stretch'),
    ...(sprint !== null && !started ? [violation(37, 'sprint', 'timeline.started is not set')] : []),
    ...(goal !== null && !known(goalFlow.states, goal['status'])
      ? [violation(50, 'goal', `${JSON.stringify(goal['status'])} is not a state of a goal`)]
      : []),
  ]
}

function configRules({ fields }: LooseState): Violation[] {
  const { data } = BoardConfig.pick({ heartbeat_interval: true, lease_duration: true }).safeParse(fields['config'])
  const fault = data === undefined ? null : heartbeatFault(data)
  return fault === null ? [] : [violation(51, 'config', fault)]
}

function known(states: readonly string[], status: unknown): boolean {
  return states.some((state) => state === status)
}

function entriesOf(fields: Loose, section: string): Loose[] {
  const value = fields[section]
  return Array.isArray(value) ? value.map((entry) => asFields(entry) ?? {}) : []
}
