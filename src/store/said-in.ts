import type { Driver } from './driver.ts'

/** The threads in which a person or a model said something with this in it, in capitals or not. */
export async function threadsSaying(driver: Driver, words: string): Promise<ReadonlySet<string>> {
  const pattern = `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const rows = await driver.query<{ thread_id: string }>(said[driver.kind], [pattern])
  return new Set(rows.map(({ thread_id }) => thread_id))
}

const said = {
  sqlite: String.raw`select distinct thread_id from entries
    where data ->> '$.from' in ('user', 'assistant') and data ->> '$.text' like $1 escape '\'`,
  postgres: String.raw`select distinct thread_id from entries
    where data::json ->> 'from' in ('user', 'assistant') and data::json ->> 'text' ilike $1 escape '\'`,
} as const
