import { agentRules } from './board-rules-agents.ts'
import { dependencyRules } from './board-rules-dependencies.ts'
import { recordRules } from './board-rules-records.ts'
import { taskRules } from './board-rules-tasks.ts'
import { fieldsOf, type LooseState, violation, type Violation, type World } from './board-rule.ts'

const sections = ['version', 'goal', 'tasks', 'agents', 'config', 'sprint']

/** Every way in which a document is no sound board: all of them, each with the number of its rule and the id it concerns. */
export function boardViolations(document: unknown, world: World): Violation[] {
  const fields = fieldsOf(document)
  if (fields === null) return [violation(1, 'document', 'this is no board: it holds no sections')]
  const missing = sections.filter((section) => fields[section] === undefined || fields[section] === null)
  const state = looseState(fields)
  return [
    ...missing.map((section) => violation(1, section, `the section ${section} is missing`)),
    ...malformed(fields),
    ...taskRules(state, world),
    ...dependencyRules(state),
    ...agentRules(state, world),
    ...recordRules(state),
  ]
}

function looseState(fields: Record<string, unknown>): LooseState {
  return {
    fields,
    tasks: listOf(fields['tasks']),
    agents: Object.entries(fieldsOf(fields['agents']) ?? {}).flatMap(([id, entry]) => {
      const agent = fieldsOf(entry)
      return agent === null ? [] : [{ ...agent, id }]
    }),
  }
}

function listOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return []
  return value.map(fieldsOf).filter((entry) => entry !== null)
}

/** A section of the wrong shape would otherwise look empty and pass. */
function malformed(fields: Record<string, unknown>): Violation[] {
  const { tasks, agents } = fields
  return [
    ...(tasks !== undefined && tasks !== null && !Array.isArray(tasks) ? [violation(38, 'tasks', 'tasks is not a list')] : []),
    ...(Array.isArray(tasks)
      ? tasks.flatMap((task, at) => (fieldsOf(task) === null ? [violation(38, `tasks.${at}`, 'the entry is no task')] : []))
      : []),
    ...(agents !== undefined && agents !== null && fieldsOf(agents) === null ? [violation(38, 'agents', 'agents is not a map')] : []),
    ...Object.entries(fieldsOf(agents) ?? {}).flatMap(([id, agent]) =>
      fieldsOf(agent) === null ? [violation(38, `agents.${id}`, 'the entry is no agent')] : [],
    ),
  ]
}
