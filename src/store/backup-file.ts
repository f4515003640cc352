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
import { exportStore, importStore } from './backup.ts'
import type { Driver } from './driver.ts'

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
