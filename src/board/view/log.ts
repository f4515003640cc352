import * as z from 'zod'
import { BoardAction } from '../../domain/board/event.ts'
import { BoardRecord } from '../../domain/board/record.ts'
import { defineOperation } from '../../domain/operation.ts'
import { TaskId } from '../../domain/board/task.ts'
import { readActivity } from '../activity.ts'
import type { RecordsContext } from '../context.ts'
import { newestRecords } from './task.ts'

/** A line as every door shows it. */
const Line = z.object({
  seq: z.int(),
  timestamp: z.iso.datetime(),
  agent: z.string(),
  action: BoardAction,
  task: z.string().optional(),
  detail: z.string(),
})

const LINES_LOOKED_AT = 20_000

/** Of one task as far back as is looked. */
export const listActivity = defineOperation({
  name: 'board.list_activity',
  summary: 'List what happened on a board, newest last',
  by: ['person'],
  effect: 'read',
  command: 'board log',
  input: z.strictObject({
    task: TaskId.optional().describe('only what concerns this task'),
    limit: z.int().min(1).max(2_000).default(50).describe('how many lines'),
  }),
  output: z.object({ lines: z.array(Line) }),
  example: { limit: 20 },
  tell: ({ lines }) =>
    lines.map(({ timestamp, agent, action, task, detail }) => [timestamp, agent, action, task, detail].join(' ')).join('\n'),
  run: async ({ driver, board_id }: RecordsContext, { task, limit }) => {
    const lines = await readActivity(driver, board_id, { limit: task === undefined ? limit : LINES_LOOKED_AT })
    return { lines: lines.filter((line) => task === undefined || line.task === task).slice(-limit) }
  },
})

export const listRecords = defineOperation({
  name: 'board.list_records',
  summary: 'List what was written down about a board, newest first',
  by: ['person'],
  effect: 'read',
  command: 'board records <kind>',
  input: z.strictObject({ kind: z.enum(['anomaly', 'discovery', 'handoff', 'human_note', 'spec_change', 'alignment']) }),
  output: z.object({ records: z.array(BoardRecord) }),
  example: { kind: 'discovery' },
  tell: ({ records }) => records.map(({ timestamp, id, task }) => [timestamp, id, task].join(' ')).join('\n'),
  run: async ({ driver, board_id }: RecordsContext, { kind }) => ({ records: await newestRecords(driver, { board_id, kind }) }),
})
