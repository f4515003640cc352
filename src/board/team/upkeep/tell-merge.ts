import { needTask } from '../../find.ts'
import { startBoardUpkeep } from './upkeep.ts'
import type { TeamContext } from '../context.ts'

/** A merge with a long test is not waited for to its end: its client would take the silence for a failure. */
const PATIENCE_MS = 20_000

/** What could not be merged is said by the clerk alone, and to nobody who waits for it. */
const LOOK_MS = 200

/** Has approved work merged while an outside reviewer is there, where perhaps nobody else supervises; and tells it what came of its approval. */
export function startMerging(team: TeamContext, patienceMs = PATIENCE_MS) {
  const { board, feed } = team
  let said: string[] = []
  const say = (text: string) => {
    said.push(text)
    team.say(text)
  }
  const clerk = startBoardUpkeep({ ...team, say }, { completesGoal: true })

  async function outcomeOf(task: string, signal: AbortSignal): Promise<string> {
    said = []
    const until = Date.now() + patienceMs
    for (;;) {
      const seen = feed.seen()
      const { status } = (await needTask(board.driver, board.board_id, task)).item
      if (status !== 'APPROVED') return `${task} was approved and is ${status} now`
      const refused = said.find((text) => text.startsWith(`${task} could not be merged`))
      if (refused !== undefined) return `${task} is APPROVED, but ${refused}. It is tried again while you stay connected.`
      const left = until - Date.now()
      if (left <= 0 || signal.aborted) return `${task} is APPROVED and being merged; stay connected until the board says that it is MERGED`
      await feed.wait(seen, Math.min(left, LOOK_MS), signal)
    }
  }

  return { outcomeOf, stop: clerk.stop }
}
