import { Problem } from '../domain/problem.ts'

/** What people call a record of a collection, and how they find the one they mean. */
// oxfmt-ignore
const kinds: ReadonlyMap<unknown, { noun: string; way: string }> = new Map([
  ['jobs',           { noun: 'job',               way: 'troupe job list shows those there are' }],
  ['chats',          { noun: 'chat',              way: 'troupe chat list shows those there are' }],
  ['boards',         { noun: 'board',             way: 'leave --board out for the one of this project' }],
  ['runs',           { noun: 'run',               way: 'its id stands in the first line that troupe run printed' }],
  ['workflow_runs',  { noun: 'run of a workflow', way: 'troupe workflow runs shows those there are' }],
  ['workflow_plays', { noun: 'run of a workflow', way: 'troupe workflow runs shows those there are' }],
])

/** A problem as a person at a terminal reads it: an id that the store does not have comes with the way to those it has. */
export function withWay(problem: Problem): Problem {
  const { collection, id } = problem.details
  const kind = problem.code === 'not_found' ? kinds.get(collection) : undefined
  if (kind === undefined) return problem
  return new Problem('not_found', `there is no ${kind.noun} ${String(id)}; ${kind.way}`, { details: problem.details, cause: problem })
}
