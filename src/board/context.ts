import type { Actor, BoardRef, BoardWorkspace } from './desk.ts'
import { Problem } from '../domain/problem.ts'

/** The records of a board, and who does something to them: all that many operations need, on whichever machine. */
export interface RecordsContext extends BoardRef {
  actor: Actor
}

/** What an operation on a board works with, and who does it. */
export interface BoardContext extends BoardWorkspace {
  actor: Actor
  /** Secret files that the user lets be read. */
  allowedSecrets?: readonly string[]
}

/** The name of the person who acts; an agent is refused, because what asks for this is a person's to decide. */
export function needPerson(actor: Actor): string {
  if ('human' in actor) return actor.human
  throw new Problem('forbidden', `only a person may do this, and ${'agent' in actor ? actor.agent : actor.supervisor} is not one`)
}
