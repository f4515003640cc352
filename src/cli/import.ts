import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { Problem } from '../domain/problem.ts'
import { importStore } from '../store/backup.ts'
import { withStore } from './open/store.ts'
import { printResult } from './terminal.ts'
import { wantsJson } from './verb.ts'

/** `troupe import FILE`: an export, into an empty store. */
export function define(command: Command): void {
  command.argument('<file>', 'what troupe export wrote').action(async (file: string) => {
    const records = await readExport(resolve(file))
    printResult(wantsJson(command), { lines: records }, `Read ${records} lines into the store.`)
  })
}

async function readExport(source: string): Promise<number> {
  const input = createReadStream(source, 'utf8')
  await once(input, 'open').catch((cause: unknown) => {
    throw new Problem('not_found', `${source} cannot be read; name a file that troupe export wrote`, { cause })
  })
  return withStore((driver) => importStore(driver, linesOf(input)))
}

/** Reads only once it is asked for a line: readline drops what comes before that, and a store that is slow to answer would wait for ever. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  yield* createInterface({ input, crlfDelay: Infinity })
}
