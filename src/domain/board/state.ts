import type { BoardAgent } from './agent.ts'
import { boardMetrics } from './metrics.ts'
import { byTime, type BoardRecord, type BoardRecordKind, type RecordOf } from './record.ts'
import type { Board } from './board.ts'
import type { Task } from './task.ts'

/** A board as one document: what `state.yaml` holds, and what the validator reads. */
export type BoardState = ReturnType<typeof composeState>

/** What only the store needs to know of a task. */
const storeFields = [
  'board_id',
  'number',
  'unmet',
  'dependents',
  'claim_generation',
  'review_generation',
  'merging_by',
  'merge_lease_expires',
]
const filing = ['board_id', 'kind', 'task', 'timestamp']

/** Composes the document from the records. Fences, counters and reverse lists are the store's own and stay out of it. */
export function composeState(board: Board, tasks: readonly Task[], agents: readonly BoardAgent[], records: readonly BoardRecord[]) {
  const inOrder = records.toSorted(byTime)
  const of = <Kind extends BoardRecordKind>(kind: Kind) => inOrder.filter((record): record is RecordOf<Kind> => record.kind === kind)
  const inSprint = (scope: Task['sprint']) => tasks.flatMap(({ id, sprint }) => (sprint === scope ? [id] : []))
  return {
    version: board.version,
    goal: { ...board.goal, alignment_history: of('alignment').map(({ timestamp, event, summary }) => ({ timestamp, event, summary })) },
    tasks: tasks.map((task) => without(task, storeFields)),
    agents: Object.fromEntries(agents.map((agent) => [agent.id, without(agent, ['id', 'board_id', 'generation'])])),
    discovered: of('discovery').map((found) => ({ during: found.task, created: found.timestamp, ...without(found, filing) })),
    handoff: Object.fromEntries(
      of('handoff').map((handoff) => [handoff.task ?? '', { timestamp: handoff.timestamp, ...without(handoff, [...filing, 'id']) }]),
    ),
    human_notes: of('human_note').map(({ timestamp, message, task, by }) => ({ timestamp, message, for: task, by })),
    anomalies: of('anomaly').map(({ timestamp, task, reporter, type, details }) => ({ timestamp, task, reporter, type, details })),
    spec_changes: of('spec_change').map(({ timestamp, spec, change, triggered_by, by }) => ({ timestamp, spec, change, triggered_by, by })),
    sprint: { ...board.sprint, scope: { planned: inSprint('planned'), stretch: inSprint('stretch') }, metrics: boardMetrics(tasks) },
    circuit_breaker: board.circuit_breaker,
    config: board.config,
    signal: board.signal,
  }
}

function without(item: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)))
}
