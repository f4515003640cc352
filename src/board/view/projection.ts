import { constants } from 'node:fs'
import { lstat, open, readdir, rm } from 'node:fs/promises'
import { composeState } from '../../domain/board/state.ts'
import { remember } from '../../domain/remember.ts'
import { writeWhole } from '../../sandbox/files/write-whole.ts'
import type { Driver } from '../../store/driver.ts'
import { log } from '../../store/log.ts'
import type { Repository } from '../../worktrees/repository.ts'
import type { ActivityLine } from '../activity.ts'
import { readCopy, refreshCopy, type BoardCopy } from './board-copy.ts'
import type { BoardRepository } from '../context.ts'
import { findBoard } from '../find.ts'
import { ignoreOwnFiles, inOwnFolder } from '../worktree/own-files.ts'
import { listItem, toYaml } from './write-yaml.ts'

/** A burst of changes is written once. */
const SOON_MS = 200

/** Writes `.troupe/state.yaml` and `.troupe/log.yaml` from the store. They are copies to read: nothing reads them back by itself. */
export async function writeProjection(board: BoardRepository): Promise<void> {
  await openWriter(board).write()
}

/** Keeps the two files of a project up to date while this process runs; gives back the way to stop, which writes them a last time. */
export function keepProjection({ driver, repository }: { driver: Driver; repository: Repository }): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let pauseMs = SOON_MS
  let writer: ReturnType<typeof openWriter> | undefined
  const writeNow = async () => {
    const started = performance.now()
    const board = await findBoard(driver, repository.root)
    if (board === null) return
    if (writer?.board_id !== board.id) writer = openWriter({ driver, repository, board_id: board.id })
    await writer.write()
    pauseMs = Math.max(SOON_MS, (performance.now() - started) * 10) // a large board is not written all the time
  }
  const write = () =>
    (writing = writing
      .then(writeNow)
      .catch((error: unknown) => process.emitWarning(`the copies in .troupe could not be written: ${String(error)}`)))
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void write()
    }, pauseMs).unref()
  }
  const stopListening = driver.onAppend(soon)
  soon() // what changed while nobody kept them
  return async () => {
    stopListening()
    clearTimeout(timer)
    await write()
  }
}

/** Remembers what it wrote, so that the next time only what changed is read and put into words. */
function openWriter({ driver, board_id, repository }: BoardRepository) {
  const words: Words = new WeakMap()
  let copy: BoardCopy | undefined
  let cleared = false

  /** Again until nothing came in between: another process may have written something newer just before our file took its place. */
  async function write(): Promise<void> {
    const known = (copy ??= await readCopy({ driver, board_id }))
    await ignoreOwnFiles(repository.root)
    await inOwnFolder(repository.root, '', async (at) => {
      if (!cleared) await clearDrafts(at)
      cleared = true
      await writeLate(known, at)
    })
  }

  async function writeLate(known: BoardCopy, at: (name: string) => string): Promise<void> {
    for (let left = ROUNDS; left > 0; left--) {
      await refreshCopy(driver, known)
      const late = await lateFiles(driver, at, known)
      if (late.length === 0) return
      for (const name of late) await writeWhole(at(name), `${heading(known)}\n${files[name](known, words)}`)
    }
  }

  return { board_id, write }
}

/** Nobody takes so long to write a copy. */
const DRAFT_MS = 60_000

/** Removes half-written copies of processes that were killed. */
async function clearDrafts(at: (name: string) => string): Promise<void> {
  const drafts = (await readdir(at('.'))).filter((name) => /^(state|log)\.yaml\.[0-9a-f-]{36}\.tmp$/.test(name))
  for (const name of drafts) {
    const found = await lstat(at(name)).catch(() => null) // its writer may be done with it by now
    if (found?.isFile() === true && Date.now() - found.mtimeMs > DRAFT_MS) await rm(at(name), { force: true })
  }
}

/** Where more comes in all the time there is somebody who writes it. */
const ROUNDS = 10

/** What was put into words before. */
type Words = WeakMap<object, string>

const files = { 'state.yaml': stateYaml, 'log.yaml': logYaml } as const

function stateYaml({ board, tasks, agents, records }: BoardCopy, words: Words): string {
  const listed = [...tasks.values()].toSorted((one, other) => one.number - other.number)
  const { tasks: views, ...rest } = composeState(board, listed, [...agents.values()], [...records.values()])
  const { version, goal, ...after } = rest
  const lines = listed.map((task, at) => remember(words, task, () => listItem(views[at], '  ')))
  return [toYaml({ version, goal }), lines.length === 0 ? 'tasks: []\n' : 'tasks:\n', ...lines, toYaml(after)].join('')
}

function logYaml({ activity }: BoardCopy, words: Words): string {
  return activity.map((line) => remember(words, line, () => listItem(asLogEntry(line), ''))).join('') || '[]\n'
}

function asLogEntry({ seq: _seq, timestamp, agent, action, task, detail, ...more }: ActivityLine): object {
  return { timestamp, agent, action, ...(task === undefined ? {} : { task }), detail, ...more }
}

function heading({ board, seq }: BoardCopy): string {
  return `# A copy of ${board.id} made by Troupe up to line ${seq} of its log; changes here are not read back.`
}

/** The files that lack something of this board. Those of a newer board, or that another process has brought further, do not. */
async function lateFiles(
  driver: Driver,
  at: (name: string) => string,
  { board, seq, changed }: BoardCopy,
): Promise<(keyof typeof files)[]> {
  const late: (keyof typeof files)[] = []
  for (const name of ['state.yaml', 'log.yaml'] as const) {
    const there = /^# A copy of (\S+) made by Troupe up to line (\d+)/.exec(await beginningOf(at(name)))
    const [, id = '', line = ''] = there ?? []
    if (id > board.id) continue
    const isWritten = id === board.id && Number(line) >= changed
    // Beyond the end of the log it was copied from another store, before this one took its place.
    if (!isWritten || (Number(line) > seq && Number(line) > (await log.last(driver)))) late.push(name)
  }
  return late
}

/** A link is not followed, and a pipe not waited for. */
const safely = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, safely).catch(() => null) // not there yet, or no file
  if (handle === null) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
