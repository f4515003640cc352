import type { SandboxState } from '../sandbox/sandbox.ts'
import type { Driver } from '../store/driver.ts'
import type { Repository } from '../worktrees/repository.ts'

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
  network: boolean
  unsandboxed: boolean
}

/** An agent as it was registered. A later registration of the same name has another generation, and this one counts no more. */
export interface Identity {
  agent: string
  generation: string
}

/** Whoever moves something on the board. */
export type Actor = Identity | { human: string } | { supervisor: string }
