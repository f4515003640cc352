import type { Actor, Place } from './desk.ts'

/** What an operation on a board works with, and who does it. */
export interface BoardContext extends Place {
  actor: Actor
}
