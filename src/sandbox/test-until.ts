import { setTimeout as sleep } from 'node:timers/promises'

/** However slow the machine is, what has not come by then does not come. */
const HANGS_AFTER_MS = 5 * 60_000

/** Waits for a fact. */
export async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  const inVain = new Error('what the test waits for does not come')
  const end = Date.now() + HANGS_AFTER_MS
  while (!(await fact())) {
    if (Date.now() > end) throw inVain
    await sleep(10)
  }
}
