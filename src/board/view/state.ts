import * as z from 'zod'
import { composeState, type BoardState } from '../../domain/board/state.ts'
import { defineOperation } from '../../domain/operation.ts'
import { boardAgents, boardRecords, boards, tasks } from '../../store/tables.ts'
import type { RecordsContext, BoardRef } from '../context.ts'

const entry = z.record(z.string(), z.unknown())
const entries = z.array(entry)

/** The document as it is described at the doors; its rules are those of `board.validate`. */
const StateDocument = z.object({
  version: z.int().describe('of the format'),
  goal: entry.describe('with its alignment_history'),
  tasks: entries.describe('every task, without what only the store needs'),
  agents: entry.describe('by their ids'),
  discovered: entries,
  handoff: entry.describe('the last one of each task, by its id'),
  human_notes: entries,
  anomalies: entries,
  spec_changes: entries,
  sprint: entry.describe('with its scope and metrics'),
  circuit_breaker: entry,
  config: entry,
  signal: entry.nullable(),
}) as unknown as z.ZodType<BoardState> // the fields that `composeState` gives

export const exportBoard = defineOperation({
  name: 'board.export',
  summary: 'Give the whole board as one document, which can be validated and imported',
  by: ['person'],
  effect: 'read',
  command: 'board export',
  input: z.strictObject({}),
  output: StateDocument,
  example: {},
  tell: (state) => JSON.stringify(state, null, 2),
  run: (context: RecordsContext) => boardState(context),
})

/** The whole board at one moment, as one document. */
export function boardState({ driver, board_id }: BoardRef): Promise<BoardState> {
  return driver.transaction((tx) => stateIn({ driver: tx, board_id }))
}

/** The same inside a transaction that reads more. */
export async function stateIn({ driver, board_id }: BoardRef): Promise<BoardState> {
  const where = { board_id }
  return composeState(
    (await boards.get(driver, board_id)).item,
    await tasks.items(driver, { where, order: ['number'] }),
    await boardAgents.items(driver, { where }),
    await boardRecords.items(driver, { where }),
  )
}
