import { Problem } from '../domain/problem.ts'

/** How people find the record they mean, by the collection it would be in. */
// oxfmt-ignore
const ways: ReadonlyMap<unknown, string> = new Map([
  ['jobs',           'troupe job list shows those there are'],
  ['chats',          'troupe chat list shows those there are'],
  ['boards',         'leave --board out for the one of this project'],
  ['runs',           'its id stands in the first line that troupe run printed'],
  ['workflow_runs',  'troupe workflow runs shows those there are'],
  ['workflow_plays', 'troupe workflow runs shows those there are'],
])

/** A problem as a person at a terminal reads it: an id that the store does not have comes with the way to those it has. */
export function withWay(problem: Problem): Problem {
  const way = problem.code === 'not_found' ? ways.get(problem.details['collection']) : undefined
  if (way === undefined) return problem
  return new Problem('not_found', `${problem.message}; ${way}`, { details: problem.details, cause: problem })
}
