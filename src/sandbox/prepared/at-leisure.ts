/** Work ahead of need rests this many times as long as it took, so that it takes a tenth of this process's time at most. */
const RESTS = 9

let rested: Promise<void> = Promise.resolve()

/** Does work that may never be needed, one piece after the other: a hundred agents that only read must not pay for a hundred sandboxes at once. */
export async function atLeisure(work: () => void): Promise<void> {
  const before = rested
  const { promise, resolve } = Promise.withResolvers<void>()
  rested = promise
  await before
  const started = performance.now()
  try {
    work()
  } finally {
    setTimeout(resolve, (performance.now() - started) * RESTS).unref()
  }
}
