import type { Actor, BoardWorkspace } from './desk.ts'

/** What an operation on a board works with, and who does it. */
export interface BoardContext extends BoardWorkspace {
  actor: Actor
  /** Secret files that the user lets be read. */
  allowedSecrets?: readonly string[]
}
