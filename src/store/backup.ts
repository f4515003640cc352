import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { refuseExisting } from '../sandbox/files/refuse-existing.ts'
import { unwritable } from '../sandbox/files/unwritable.ts'
import { keepAttachments } from './attachments.ts'
import type { Driver } from './driver.ts'
import { parsedJson } from '../domain/text/json-in-text.ts'
import * as tables from './tables.ts'

/** A store and the program that uses it. */
export interface BackupContext {
  driver: Driver
  version: string
}

/** Also while Troupe is at work. */
const exportToFile = defineOperation({
  name: 'system.export',
  summary: 'Write everything in the store to a file',
  by: ['person'],
  effect: 'change',
  command: 'export <file>',
  absent: {
    http: 'it writes a file with every prompt and answer; where that may lie is for the person at the machine to say',
    dry_run: 'it changes nothing but the file that is named, which must not be there',
  },
  input: z.strictObject({ file: z.string().min(1).describe('where to write it') }),
  output: z.object({ file: z.string(), lines: z.int() }),
  example: { file: 'backup.troupe' },
  tell: ({ lines, file }) => `Wrote ${lines} lines to ${file}. It holds prompts and answers: keep it as safe as the store.`,
  run: async ({ driver, version }: BackupContext, { file }) => {
    refuseExisting(file)
    const target = resolve(file)
    return { file: target, lines: await writeExport(driver, version, target) }
  },
})

const importFromFile = defineOperation({
  name: 'system.import',
  summary: 'Read an export into an empty store',
  by: ['person'],
  effect: 'change',
  command: 'import <file>',
  absent: {
    http: 'the store of a server at work is not empty, and a file of the machine is for the person there to name',
    dry_run: 'an import is all or nothing, and refused into a store that holds anything',
  },
  input: z.strictObject({ file: z.string().min(1).describe('what an export wrote') }),
  output: z.object({ lines: z.int() }),
  example: { file: 'backup.troupe' },
  tell: ({ lines }) => `Read ${lines} lines into the store.`,
  run: async ({ driver }: BackupContext, { file }) => {
    const source = resolve(file)
    const input = createReadStream(source, 'utf8')
    await once(input, 'open').catch((cause: unknown) => {
      throw new Problem('not_found', `${source} cannot be read; name a file that an export wrote`, { cause })
    })
    return { lines: await importStore(driver, linesOf(input)) }
  },
})

/** How a store is kept in a file and read back. */
export const backupOperations = [exportToFile, importFromFile] as const

/** Written beside its place and moved there when whole, so that a cut-off export is never taken for one. */
async function writeExport(driver: Driver, version: string, target: string): Promise<number> {
  const unfinished = `${target}.unfinished`
  try {
    const lines = await writeLines(driver, version, unfinished)
    await rename(unfinished, target)
    return lines
  } catch (error) {
    throw unwritable(target, error)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function writeLines(driver: Driver, version: string, file: string): Promise<number> {
  const out = await open(file, 'w', 0o600)
  try {
    return await exportStore(driver, version, (line) => out.appendFile(line))
  } finally {
    await out.close()
  }
}

/** Reads only once it is asked for a line: readline drops what comes before that, and a store that is slow to answer would wait for ever. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  yield* createInterface({ input, crlfDelay: Infinity })
}

/** The first line of an export: what it is and what wrote it. */
const Header = z.strictObject({ troupe_export: z.literal(1), version: z.string(), at: z.iso.datetime() })

/** A record as it is in the store, its JSON untouched; a line of the log; what an attached file holds; or, as the last line, how many there were. */
const Line = z.union([
  z.strictObject({ collection: z.string(), id: z.string(), version: z.int().positive(), data: z.string() }),
  z.strictObject({ seq: z.int().positive(), at: z.string(), topic: z.string(), subject: z.string(), data: z.string() }),
  z.strictObject({ attachment: z.string(), data: z.base64() }),
  z.strictObject({ lines: z.int() }),
])

type AttachmentRow = Extract<z.infer<typeof Line>, { attachment: string }>
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
    for await (const { hash, data } of attached(tx)) await put({ attachment: hash, data })
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
    if (told !== number - 2) throw new Problem('bad_input', 'the export is incomplete: lines are missing; nothing was imported')
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

/** One at a time: each may be large. */
async function* attached(tx: Driver): AsyncGenerator<{ hash: string; data: string }> {
  let after = ''
  for (;;) {
    const [row] = await tx.query<{ hash: string; data: string }>(
      'select hash, data from "attachments" where hash > $1 order by hash limit 1',
      [after],
    )
    if (row === undefined) return
    yield row
    after = row.hash
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
  if (!header.success) throw new Problem('bad_input', 'this is not a Troupe export; its first line should say {"troupe_export":1,…}')
}

function parsed(text: string, number: number): z.infer<typeof Line> {
  const line = Line.safeParse(parsedJson(text))
  if (line.success) return line.data
  throw new Problem('bad_input', `line ${number} of the export is damaged; nothing was imported`)
}

async function take(tx: Driver, line: Exclude<z.infer<typeof Line>, { lines: number }>, number: number, log: LogRow[]): Promise<void> {
  if ('seq' in line) return void log.push(line)
  if ('attachment' in line) return addAttachment(tx, line, number)
  if (!names.includes(line.collection)) {
    throw new Problem(
      'store_newer',
      `line ${number} is of ${line.collection}, which this version does not know; import it with the version that wrote it`,
    )
  }
  await tx.query(`insert into "${line.collection}" (id, version, data) values ($1, $2, $3)`, [line.id, line.version, line.data])
}

async function addAttachment(tx: Driver, { attachment, data }: AttachmentRow, number: number): Promise<void> {
  const [file] = await keepAttachments(tx, [{ name: attachment, data }])
  if (file?.hash !== attachment) throw new Problem('bad_input', `line ${number} of the export is damaged; nothing was imported`)
}

/** Inserting records has logged them; what the export says happened takes the place of that. */
async function replaceLog(tx: Driver, log: readonly LogRow[]): Promise<void> {
  await tx.query('delete from log')
  for (const { seq, at, topic, subject, data } of log) {
    await tx.query('insert into log (seq, at, topic, subject, data) values ($1, $2, $3, $4, $5)', [seq, at, topic, subject, data])
  }
}
