import * as z from 'zod'
import type { BoardAgent } from '../../domain/board/agent.ts'
import type { BoardRecord } from '../../domain/board/record.ts'
import type { Board } from '../../domain/board/board.ts'
import type { Task } from '../../domain/board/task.ts'
import type { Collection } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { log, type LogLine } from '../../store/log.ts'
import { boardAgents, boardRecords, boards, tasks } from '../../store/tables.ts'
import { readActivity, type ActivityLine } from '../activity.ts'
import type { BoardRef } from '../context.ts'

/** A board as this process read it last. */
export interface BoardCopy {
  /** The last line of the log that was looked at, and the last that was about this board. */
  seq: number
  changed: number
  board: Board
  tasks: Map<string, Task>
  agents: Map<string, BoardAgent>
  records: Map<string, BoardRecord>
  activity: ActivityLine[]
}

/** What is older stays in the store; `troupe board log` shows it. */
const ACTIVITY_LINES = 5_000

/** Reads a whole board. What is written meanwhile may be in it or not; `refreshCopy` makes it one moment. */
export async function readCopy({ driver, board_id }: BoardRef): Promise<BoardCopy> {
  const seq = await log.last(driver)
  const where = { board_id }
  return {
    seq,
    changed: seq,
    board: (await boards.get(driver, board_id)).item,
    tasks: byKey(tasks, await tasks.items(driver, { where })),
    agents: byKey(boardAgents, await boardAgents.items(driver, { where })),
    records: byKey(boardRecords, await boardRecords.items(driver, { where })),
    activity: await readActivity(driver, board_id, { limit: ACTIVITY_LINES }),
  }
}

/** Reads what changed since. In a transaction, so that the copy is the board at one moment, but a short one and only if need be. */
export async function refreshCopy(driver: Driver, copy: BoardCopy): Promise<void> {
  const seen = changesIn(await linesAfter(driver, copy.seq), copy)
  if (seen.changed === copy.changed) return void (copy.seq = seen.seq)
  await driver.transaction(async (tx) => {
    const changes = changesIn(await linesAfter(tx, copy.seq), copy)
    await applyChanges(tx, copy, changes)
    copy.seq = changes.seq
    copy.changed = changes.changed
  })
}

type Changes = ReturnType<typeof changesIn>

async function linesAfter(tx: Driver, after: number): Promise<LogLine[]> {
  const lines: LogLine[] = []
  for (;;) {
    const batch = await log.read(tx, lines.at(-1)?.seq ?? after)
    if (batch.length === 0) return lines
    lines.push(...batch)
  }
}

const Mentions = z.object({ board_id: z.string() })

function changesIn(lines: readonly LogLine[], { seq, changed, board }: BoardCopy) {
  const ours = lines.filter(({ subject, data }) => subject === board.id || Mentions.safeParse(data).data?.board_id === board.id)
  const subjects = (topic: string) => new Set(ours.flatMap((line) => (line.topic === topic ? [line.subject] : [])))
  return {
    seq: lines.at(-1)?.seq ?? seq,
    changed: ours.at(-1)?.seq ?? changed,
    board: subjects(boards.name).size > 0,
    tasks: subjects(tasks.name),
    agents: subjects(boardAgents.name),
    records: subjects(boardRecords.name),
    activity: subjects('board').size > 0,
  }
}

async function applyChanges(tx: Driver, copy: BoardCopy, changes: Changes): Promise<void> {
  if (changes.board) copy.board = (await boards.get(tx, copy.board.id)).item
  await replaceIn(tx, tasks, copy.tasks, changes.tasks)
  await replaceIn(tx, boardAgents, copy.agents, changes.agents)
  await replaceIn(tx, boardRecords, copy.records, changes.records)
  if (!changes.activity) return
  const more = await readActivity(tx, copy.board.id, { after: copy.activity.at(-1)?.seq ?? 0, limit: ACTIVITY_LINES })
  copy.activity = [...copy.activity, ...more].slice(-ACTIVITY_LINES)
}

/** Few at a time: a statement takes only so many parameters. */
const AT_ONCE = 500

async function replaceIn<Item extends { id: string }>(
  tx: Driver,
  collection: Collection<Item>,
  known: Map<string, Item>,
  changed: ReadonlySet<string>,
): Promise<void> {
  const ids = [...changed]
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const found = byKey(collection, await collection.items(tx, { where: { id: some } }))
    for (const id of some) {
      const item = found.get(id)
      if (item === undefined) known.delete(id)
      else known.set(id, item)
    }
  }
}

function byKey<Item extends { id: string }>({ keyOf }: Collection<Item>, items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [keyOf(item), item]))
}
