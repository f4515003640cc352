import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Activity } from '../domain/board-record.ts'
import { readActivity } from './activity.ts'
import type { Desk } from './desk.ts'
import { boardState } from './state.ts'

/** What is older stays in the store; `troupe board log` shows it. */
const LOG_LINES = 5_000

/** A burst of changes is written once. */
const SOON_MS = 200

/** Writes `.troupe/state.yaml` and `.troupe/log.yaml` from the store. They are copies to read: nothing reads them back by itself. */
export async function writeProjection(desk: Desk): Promise<void> {
  const { stringify } = await import('yaml')
  const lines = await readActivity(desk.driver, desk.board_id, { limit: LOG_LINES })
  const state = await boardState(desk)
  const seq = lines.at(-1)?.seq ?? 0
  const folder = join(desk.repository.root, '.troupe')
  await mkdir(folder, { recursive: true })
  await write(join(folder, 'state.yaml'), seq, stringify(state, { lineWidth: 0, aliasDuplicateObjects: false }))
  await write(join(folder, 'log.yaml'), seq, stringify(lines.map(asLogEntry), { lineWidth: 0, aliasDuplicateObjects: false }))
}

/** Keeps the two files up to date while this process runs; gives back the way to stop, which writes them a last time. */
export function keepProjection(desk: Desk): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let pauseMs = SOON_MS
  const writeNow = async () => {
    const started = performance.now()
    await writeProjection(desk).catch((error: unknown) =>
      process.emitWarning(`the copies in .troupe could not be written: ${String(error)}`),
    )
    pauseMs = Math.max(SOON_MS, (performance.now() - started) * 10) // a large board is not written all the time
  }
  const stopListening = desk.driver.onAppend(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      writing = writing.then(writeNow)
    }, pauseMs).unref()
  })
  return async () => {
    stopListening()
    clearTimeout(timer)
    await writing
    await writeNow()
  }
}

/** All at once or not at all, and never over something newer that another process wrote meanwhile. */
async function write(file: string, seq: number, yaml: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `# A copy made by Troupe up to line ${seq} of its log; changes here are not read back.\n${yaml}`, { mode: 0o600 })
  const there = await readFile(file, 'utf8').catch(() => '')
  const newer = Number(/up to line (\d+)/.exec(there.slice(0, 200))?.[1] ?? 0) > seq
  await (newer ? rm(draft) : rename(draft, file))
}

function asLogEntry({ seq: _seq, timestamp, agent, action, task, detail, ...more }: Activity & { seq: number; timestamp: string }): object {
  return { timestamp, agent, action, ...(task === undefined ? {} : { task }), detail, ...more }
}
