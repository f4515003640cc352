import type { Actor, BoardRepository } from './desk.ts'

/** What an operation on a board works with, and who does it. */
export interface BoardContext extends BoardRepository {
  actor: Actor
}
