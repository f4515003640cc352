import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Row } from './bench.ts'
import type { Measured } from './page.ts'

/** Most take seconds on a quiet machine; whatever hangs must not hang the whole table. */
const AT_MOST_MS = 240_000

/** Runs one bench in a process of its own, so that none is measured with another's garbage, and for a limited time. */
export async function measureInChild(file: string): Promise<Measured> {
  const started = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../run.ts'), '--rows', file], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('the pinned Node cannot be started')
  const watchdog = setTimeout(() => process.kill(-pid, 'SIGKILL'), AT_MOST_MS)
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  clearTimeout(watchdog)
  const seconds = (performance.now() - started) / 1000
  if (code === 0) return { file, seconds, ...(JSON.parse(said) as { name: string; rows: Row[] }) } // run.ts wrote it
  const why = code === null ? `it was ended after ${Math.round(seconds)} s` : `it ended with ${code}`
  return { file, seconds, name: file, rows: [{ what: file, unit: 'ms', ours: Number.NaN, budget: { at_most: 0 }, why }] }
}
