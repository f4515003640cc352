import { messageOf } from '../../domain/problem.ts'

/** What plays in this process while it does other things, each with the way to stop it. */
export type Playing = Map<string, { stop: AbortController; done: Promise<void> }>

/** Plays something in the background. How it ended is in its record, so nobody has to wait for it; what could not be recorded is warned of. */
export function runInBackground(playing: Playing, id: string, what: string, play: (signal: AbortSignal) => Promise<unknown>): void {
  const stop = new AbortController()
  const done = play(stop.signal)
    .then(() => undefined)
    .catch((error: unknown) => process.emitWarning(`the ${what} ${id} could not continue: ${messageOf(error)}`))
    .finally(() => {
      if (playing.get(id)?.stop === stop) playing.delete(id) // else it has begun something that takes its place
    })
  playing.set(id, { stop, done })
}

/** Stops everything that plays, and what it may still begin, and waits until each has stored how far it got. */
export async function stopPlaying(playing: Playing): Promise<void> {
  while (playing.size > 0) {
    const all = [...playing.values()]
    for (const { stop } of all) stop.abort()
    await Promise.all(all.map(({ done }) => done))
  }
}
