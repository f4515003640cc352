import { Problem } from '../../domain/problem.ts'
import type { Quota } from '../../domain/quota/quota.ts'
import type { Driver } from '../../store/driver.ts'
import { quotas } from '../../store/run-tables.ts'
import type { ReachedQuota } from './limit.ts'

/** Where nobody says when a limit ends, it is tried again after this, then after twice as long, and so on. */
const FIRST_GUESS_MS = 5 * 60_000
const LAST_GUESS_MS = 60 * 60_000

/** A time that has passed already is not believed: asking at once would be refused at once. */
const LEAST_MS = 1_000

/** For so long one agent tries alone whether a limit has ended. */
const TRY_MS = 60_000

/** Writes down that a limit is reached, for everyone who would ask the same account. */
export async function recordQuota(driver: Driver, account: string, { message, resets_at }: ReachedQuota): Promise<void> {
  const now = await driver.now()
  await driver.transaction(async (tx) => {
    const was = await quotas.find(tx, account)
    const tries = was === null ? 0 : was.item.tries + (was.item.trying ? 1 : 0)
    const guess = Math.min(LAST_GUESS_MS, FIRST_GUESS_MS * 2 ** Math.min(tries, 10))
    const wait = resets_at === null ? guess : Math.max(LEAST_MS, resets_at.getTime() - now.getTime())
    const quota: Quota = {
      id: account,
      message: message.slice(0, 1_000),
      since: was?.item.since ?? now.toISOString(),
      resets_at: new Date(now.getTime() + wait).toISOString(),
      guessed: resets_at === null,
      tries,
      trying: false,
      instead: was?.item.instead ?? null,
    }
    await (was === null ? quotas.add(tx, quota) : quotas.replace(tx, was, quota))
  })
}

/** Whether an account may be asked now. Once its time has come one agent tries, and the others see what comes of it. */
export async function mayAsk(driver: Driver, account: string): Promise<{ go: 'free' | 'try' } | { go: 'wait'; quota: Quota }> {
  const was = await quotas.find(driver, account)
  if (was === null) return { go: 'free' }
  const now = (await driver.now()).getTime()
  if (Date.parse(was.item.resets_at) > now) return { go: 'wait', quota: was.item }
  const trying = { ...was.item, trying: true, resets_at: new Date(now + TRY_MS).toISOString() }
  try {
    await quotas.replace(driver, was, trying)
    return { go: 'try' }
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return { go: 'wait', quota: trying } // another one tries
    throw error
  }
}

/** The account answers again: whoever waits goes on. */
export async function endQuota(driver: Driver, account: string): Promise<void> {
  await driver.transaction(async (tx) => {
    const was = await quotas.find(tx, account)
    if (was !== null) await quotas.remove(tx, was)
  })
}

/** The limit for which nobody may be sent to an account at this moment, if there is one. */
export async function reachedQuota(driver: Driver, account: string): Promise<Quota | null> {
  const found = await quotas.find(driver, account)
  return found !== null && Date.parse(found.item.resets_at) > (await driver.now()).getTime() ? found.item : null
}
