import { Problem } from '../domain/problem.ts'
import type { Driver } from '../store/driver.ts'
import type { Repository } from '../worktrees/repository.ts'
import type { Actor, BoardRef, BoardRepository, BoardWorkspace, Identity } from './desk.ts'

/** The records of a board, and who does something to them: all that many operations need, on whichever machine. */
export interface RecordsContext extends BoardRef {
  actor: Actor
  /** Where the repository is on this machine; asking for one that is not is refused. */
  repository?: Repository
}

/** The records of a board and its repository. */
export interface RepositoryContext extends BoardRepository {
  actor: Actor
}

/** What an operation on a board works with, and who does it. */
export interface BoardContext extends BoardWorkspace {
  actor: Actor
  /** Secret files that the user lets be read. */
  allowedSecrets?: readonly string[]
}

/** The agent that acts; a person is refused, because what asks for this belongs to one agent of a team. */
export function needIdentity(actor: Actor): Identity {
  if ('agent' in actor) return actor
  throw new Problem('bad_input', 'only an agent of the team does this; say which one it is')
}

/** A folder that need not have a board yet. */
export interface ProjectContext {
  driver: Driver
  folder: string
  actor: Actor
  dry?: boolean
}

/** The name of the person who acts; an agent is refused, because what asks for this is a person's to decide. */
export function needPerson(actor: Actor): string {
  if ('human' in actor) return actor.human
  throw new Problem('forbidden', `only a person may do this, and ${'agent' in actor ? actor.agent : actor.supervisor} is not one`)
}
