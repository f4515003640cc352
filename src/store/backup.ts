import * as z from 'zod'
import { parsedJson } from '../domain/text/json-in-text.ts'
import { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'
import * as tables from './tables.ts'

/** The first line of an export: what it is and what wrote it. */
const Header = z.strictObject({ troupe_export: z.literal(1), version: z.string(), at: z.iso.datetime() })

/** A record as it lies in the store, its JSON untouched; a line of the log; or, as the last line, how many there were. */
const Line = z.union([
  z.strictObject({ collection: z.string(), id: z.string(), version: z.int().positive(), data: z.string() }),
  z.strictObject({ seq: z.int().positive(), at: z.string(), topic: z.string(), subject: z.string(), data: z.string() }),
  z.strictObject({ lines: z.int() }),
])

type LogRow = Extract<z.infer<typeof Line>, { seq: number }>

const BATCH = 500
const names = Object.values(tables).map((collection) => collection.name)

/** Writes everything in the store as lines of JSON, as it was at one moment; others go on reading and writing. */
export async function exportStore(driver: Driver, version: string, write: (line: string) => Promise<void>): Promise<number> {
  return driver.snapshot(async (tx) => {
    let written = 0
    const put = async (line: unknown) => {
      await write(`${JSON.stringify(line)}\n`)
      written += 1
    }
    await write(`${JSON.stringify({ troupe_export: 1, version, at: (await tx.now()).toISOString() })}\n`)
    for (const name of names) {
      for await (const row of pages(tx, `select id, version, data from "${name}"`, 'id', '')) await put({ collection: name, ...row })
    }
    for await (const row of pages(tx, 'select seq, at, topic, subject, data from log', 'seq', 0)) await put(row)
    await write(`${JSON.stringify({ lines: written })}\n`)
    return written
  })
}

/** Reads an export into an empty store, all or nothing. A store that holds anything is refused: nothing is ever mixed or overwritten. */
export async function importStore(driver: Driver, lines: AsyncIterable<string>): Promise<number> {
  return driver.transaction(async (tx) => {
    await refuseUsed(tx)
    const log: LogRow[] = []
    let number = 0
    let told: number | null = null
    for await (const text of lines) {
      number += 1
      if (number === 1) {
        checkHeader(text)
        continue
      }
      const line = parsed(text, number)
      if (told !== null)
        throw new Problem('bad_input', `unexpected data after the end of the export, in line ${number}; nothing was imported`)
      if ('lines' in line) told = line.lines
      else await take(tx, line, number, log)
    }
    if (number === 0) throw new Problem('bad_input', 'the export is empty; its first line should say what it is')
    if (told !== number - 2) throw new Problem('bad_input', 'the export is not whole, lines of it are missing; nothing was imported')
    await replaceLog(tx, log)
    return told
  })
}

/** Rows in the order of a key, a page at a time, so that a large store fits into memory. */
async function* pages(tx: Driver, select: string, key: 'id' | 'seq', first: string | number): AsyncGenerator<Record<string, unknown>> {
  let after: unknown = first
  for (;;) {
    const rows = await tx.query(`${select} where ${key} > $1 order by ${key} limit ${BATCH}`, [after])
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = last[key]
  }
}

async function refuseUsed(tx: Driver): Promise<void> {
  for (const name of names) {
    const [row] = await tx.query(`select id from "${name}" limit 1`)
    if (row) throw new Problem('conflict', `the store already holds ${name}; import into an empty one, named with TROUPE_STORE`)
  }
}

function checkHeader(text: string): void {
  const header = Header.safeParse(parsedJson(text))
  if (!header.success) throw new Problem('bad_input', 'this is no export of Troupe; its first line should say {"troupe_export":1,…}')
}

function parsed(text: string, number: number): z.infer<typeof Line> {
  const line = Line.safeParse(parsedJson(text))
  if (line.success) return line.data
  throw new Problem('bad_input', `line ${number} of the export is damaged; nothing was imported`)
}

async function take(tx: Driver, line: Exclude<z.infer<typeof Line>, { lines: number }>, number: number, log: LogRow[]): Promise<void> {
  if ('seq' in line) return void log.push(line)
  if (!names.includes(line.collection)) {
    throw new Problem(
      'store_newer',
      `line ${number} is of ${line.collection}, which this version does not know; import it with the version that wrote it`,
    )
  }
  await tx.query(`insert into "${line.collection}" (id, version, data) values ($1, $2, $3)`, [line.id, line.version, line.data])
}

/** Inserting records has logged them; what the export says happened takes the place of that. */
async function replaceLog(tx: Driver, log: readonly LogRow[]): Promise<void> {
  await tx.query('delete from log')
  for (const { seq, at, topic, subject, data } of log) {
    await tx.query('insert into log (seq, at, topic, subject, data) values ($1, $2, $3, $4, $5)', [seq, at, topic, subject, data])
  }
}
