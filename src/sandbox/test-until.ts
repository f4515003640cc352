import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for a fact, however slow the machine is. */
export async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await fact())) await sleep(10)
}
