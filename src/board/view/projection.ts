import { constants } from 'node:fs'
import { lstat, open, readdir, rm } from 'node:fs/promises'
import type { Board } from '../../domain/board/board.ts'
import type { BoardState } from '../../domain/board/state.ts'
import { writeWhole } from '../../sandbox/files/write-whole.ts'
import type { Driver } from '../../store/driver.ts'
import { log } from '../../store/log.ts'
import type { Repository } from '../../worktrees/repository.ts'
import { type ActivityLine, readActivity } from '../activity.ts'
import type { BoardRepository, BoardRef } from '../context.ts'
import { findBoard, boardOf } from '../find.ts'
import { ignoreOwnFiles, inOwnFolder } from '../worktree/own-files.ts'
import { toYaml } from './write-yaml.ts'
import { stateIn } from './state.ts'

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

/** Remembers up to where it wrote, so that what concerns other boards and chats costs one question. */
function openWriter(board: BoardRepository) {
  const { board_id, repository } = board
  let written = 0
  let cleared = false

  async function write(): Promise<void> {
    await ignoreOwnFiles(repository.root)
    await inOwnFolder(repository.root, '', async (at) => {
      if (!cleared) await clearDrafts(at)
      cleared = true
      if (written > 0 && (await areThere(at)) && !(await hasChanged(board, written))) return
      written = await writeLate(board, at)
    })
  }

  return { board_id, write }
}

/** Again until nothing came in between: another process may have written something newer just before our file took its place. */
async function writeLate(board: BoardRepository, at: (name: string) => string): Promise<number> {
  for (let left = ROUNDS; ; left--) {
    const copy = await readCopy(board)
    for (const name of await lateFiles(board.driver, at, copy)) await writeWhole(at(name), `${heading(copy)}\n${files[name](copy)}`)
    if (left === 0 || !(await hasChanged(board, copy.seq))) return copy.seq
  }
}

/** Whether anything was written about a board after a line of the log. */
async function hasChanged({ driver, board_id }: BoardRef, after: number): Promise<boolean> {
  const sql = `select seq from log where seq > $1 and (subject = $2 or data like $3) limit 1`
  return (await driver.query(sql, [after, board_id, `%"board_id":"${board_id}"%`])).length > 0
}

/** A board at one moment, and the last line of the log then. */
interface BoardCopy {
  seq: number
  board: Board
  state: BoardState
  activity: ActivityLine[]
}

/** What is older stays in the store. */
const ACTIVITY_LINES = 5_000

function readCopy({ driver, board_id }: BoardRef): Promise<BoardCopy> {
  return driver.transaction(async (tx) => ({
    seq: await log.last(tx),
    board: await boardOf({ driver: tx, board_id }),
    state: await stateIn({ driver: tx, board_id }),
    activity: await readActivity(tx, board_id, { limit: ACTIVITY_LINES }),
  }))
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

const files = {
  'state.yaml': ({ state }: BoardCopy) => toYaml(state),
  'log.yaml': ({ activity }: BoardCopy) => toYaml(activity.map(asLogEntry)),
} as const

function asLogEntry({ seq: _seq, timestamp, agent, action, task, detail, ...more }: ActivityLine): object {
  return { timestamp, agent, action, ...(task === undefined ? {} : { task }), detail, ...more }
}

function heading({ board, seq }: BoardCopy): string {
  return `# A copy of ${board.id} made by Troupe up to line ${seq} of its log; changes here are not read back.`
}

/** The files that lack something of this board. Those of a newer board, or that another process has brought further, do not. */
async function lateFiles(driver: Driver, at: (name: string) => string, copy: BoardCopy): Promise<(keyof typeof files)[]> {
  const late: (keyof typeof files)[] = []
  for (const name of ['state.yaml', 'log.yaml'] as const) {
    const [, id = '', line = ''] = /^# A copy of (\S+) made by Troupe up to line (\d+)/.exec(await beginningOf(at(name))) ?? []
    const isForeign = Number(line) > copy.seq && Number(line) > (await log.last(driver)) // copied from another store, before this one took its place
    if (id < copy.board.id || (id === copy.board.id && (Number(line) < copy.seq || isForeign))) late.push(name)
  }
  return late
}

async function areThere(at: (name: string) => string): Promise<boolean> {
  const beginnings = await Promise.all(Object.keys(files).map((name) => beginningOf(at(name))))
  return beginnings.every((text) => text !== '')
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
