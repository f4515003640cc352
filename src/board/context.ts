import { Problem } from '../domain/problem.ts'
import type { CommandSettings, SandboxState } from '../sandbox/sandbox.ts'
import type { Driver } from '../store/driver.ts'
import type { Repository } from '../worktrees/repository.ts'

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

/** Where the records of a board lie: all that most moves need. */
export interface BoardRef {
  driver: Driver
  board_id: string
}

/** The records of a board, and the repository its tasks are about. */
export interface BoardRepository extends BoardRef {
  repository: Repository
  /** Only tried: whoever set this takes every write to the store back, so no file and no ref may change either. */
  dry?: boolean
}

/** Where somebody works on a board. */
export interface BoardWorkspace extends BoardRepository {
  /** Where the integration test runs, and what the user lets commands do. */
  sandbox: SandboxState
  commands: CommandSettings
}

/** An agent as it was registered. A later registration of the same name has another generation, and this one counts no more. */
export interface Identity {
  agent: string
  generation: string
}

/** Whoever moves something on the board. */
export type Actor = Identity | { human: string } | { supervisor: string }
