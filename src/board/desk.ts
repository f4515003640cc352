import type { SandboxState } from '../sandbox/sandbox.ts'
import type { Driver } from '../store/driver.ts'
import type { Repository } from '../worktrees/repository.ts'

/** Where somebody works on a board: its records, and the repository its tasks are about. */
export interface Desk {
  driver: Driver
  board_id: string
  repository: Repository
  /** Where the integration test runs. */
  sandbox: SandboxState
  /** Only tried: whoever set this takes every write to the store back, so no file and no ref may change either. */
  dry?: boolean
}

/** An agent as it was registered. A later registration of the same name has another generation, and this one counts no more. */
export interface Identity {
  agent: string
  generation: string
}

/** Whoever moves something on the board. */
export type Actor = Identity | { human: string } | { supervisor: string }
