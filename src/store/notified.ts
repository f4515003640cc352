import type { Driver } from './driver.ts'

/** Claims that something is told to somebody: true for exactly one of all processes, until it is forgotten. */
export async function claimNotice(driver: Driver, channel: string, need: string): Promise<boolean> {
  const sql = 'insert into "notified" (channel, need) values ($1, $2) on conflict do nothing returning need'
  return (await driver.query(sql, [channel, need])).length > 0
}

/** What was told and is still remembered. */
export async function claimedNotices(driver: Driver, channel: string): Promise<string[]> {
  const rows = await driver.query<{ need: string }>('select need from "notified" where channel = $1', [channel])
  return rows.map(({ need }) => need)
}

/** Lets it be told again. */
export async function forgetNotice(driver: Driver, channel: string, need: string): Promise<void> {
  await driver.query('delete from "notified" where channel = $1 and need = $2', [channel, need])
}
