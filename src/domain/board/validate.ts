import { agentRules } from './rules-agents.ts'
import { dependencyRules, taskRules } from './rules-tasks.ts'
import { recordRules } from './rules-records.ts'
import { entriesIn, asFields, type LooseState, violation, type Violation, type BoardFacts } from './rule.ts'

const sections = ['version', 'goal', 'tasks', 'agents', 'config', 'sprint']

/** Every way in which a document is no sound board: all of them, each with the number of its rule and the id it concerns. */
export function boardViolations(document: unknown, world: BoardFacts): Violation[] {
  const fields = asFields(document)
  if (fields === null) return [violation(1, 'document', 'this is not a board: it has no sections')]
  const missing = sections.filter((section) => fields[section] === undefined || fields[section] === null)
  const state = looseState(fields)
  return [
    ...missing.map((section) => violation(1, section, `the section ${section} is missing`)),
    ...malformed(fields),
    ...taskRules(state, world),
    ...dependencyRules(state),
    ...agentRules(state, world),
    ...recordRules(state, world),
  ]
}

function looseState(fields: Record<string, unknown>): LooseState {
  return {
    fields,
    tasks: entriesIn(fields['tasks']),
    agents: Object.entries(asFields(fields['agents']) ?? {}).flatMap(([id, entry]) => {
      const agent = asFields(entry)
      return agent === null ? [] : [{ ...agent, id }]
    }),
  }
}

const lists = { tasks: 'task', discovered: 'discovery', human_notes: 'note', anomalies: 'anomaly', spec_changes: 'change of a spec' }
const maps = { agents: 'agent', handoff: 'handoff' }
const records = ['goal', 'sprint', 'config', 'circuit_breaker']

/** A section of the wrong shape would otherwise look empty and pass. */
function malformed(fields: Record<string, unknown>): Violation[] {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return given.flatMap(([name, value]) => {
    const [inList, inMap] = [nameIn(lists, name), nameIn(maps, name)]
    if (inList !== undefined) return Array.isArray(value) ? noEntries(name, Object.entries(value), inList) : [misshapen(name, 'a list')]
    const map = asFields(value)
    if (map === null) return inMap !== undefined || records.includes(name) ? [misshapen(name, 'a map')] : []
    return inMap === undefined ? [] : noEntries(name, Object.entries(map), inMap)
  })
}

function nameIn(known: Record<string, string>, section: string): string | undefined {
  return Object.hasOwn(known, section) ? known[section] : undefined
}

function misshapen(section: string, shape: string): Violation {
  return violation(38, section, `${section} is not ${shape}`)
}

function noEntries(section: string, entries: [string, unknown][], kind: string): Violation[] {
  return entries.flatMap(([key, entry]) =>
    asFields(entry) === null ? [violation(38, `${section}.${key}`, `the entry is not a ${kind}`)] : [],
  )
}
