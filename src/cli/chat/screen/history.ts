import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { maskedRecord } from '../../../domain/text/mask.ts'
import { readPlainText } from '../../../sandbox/files/plain-text.ts'
import { writeWhole } from '../../../sandbox/files/write-whole.ts'

const LINES_AT_MOST = 200
const CHARS_AT_MOST = 10_000

/** What a person has written in a folder, over all their sessions there. */
export interface InputHistory {
  /** The oldest first. */
  lines: string[]
  add(line: string): Promise<void>
}

const Lines = z.array(z.string())

/** Reads what was written in a folder; a file that cannot be read is begun again. */
export async function openHistory(home: string, workspace: string, secrets: readonly string[]): Promise<InputHistory> {
  const folder = join(home, 'input-history')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${createHash('sha256').update(workspace).digest('hex').slice(0, 32)}.json`)
  const read = () => readLines(file)
  const lines = read()
  return {
    lines,
    add: async (line) => {
      if (line.length > CHARS_AT_MOST) return
      const masked = maskedRecord(line, secrets)
      const now = read() // another terminal may have written meanwhile
      if (now.at(-1) === masked) return
      await writeWhole(file, `${JSON.stringify([...now, masked].slice(-LINES_AT_MOST))}\n`)
    },
  }
}

function readLines(file: string): string[] {
  try {
    return Lines.parse(JSON.parse(readPlainText(file)))
  } catch {
    return []
  }
}
