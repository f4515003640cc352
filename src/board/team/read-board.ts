import * as z from 'zod'
import { boardAgents, tasks } from '../../store/tables.ts'
import { boardOf, needTask } from '../find.ts'
import { recordsOf } from '../records.ts'
import { titleOf } from '../view/cards.ts'
import { defineMove, type MoveContext } from './move.ts'

const CHARS = 20_000
const LISTED = 200

/** Every role sees the whole board. It reads what the store holds at that moment. */
export const readBoard = defineMove({
  name: 'read_board',
  description: 'Read the board: its tasks, its agents, discoveries, settings, or everything about one task.',
  roles: ['planner', 'coder', 'code_reviewer'],
  required_permissions: ['read_files'],
  input: z.strictObject({
    part: z.enum(['tasks', 'agents', 'discoveries', 'config']).default('tasks'),
    task: z.string().optional().describe('one task as a whole, instead of a part'),
  }),
  example: { part: 'tasks' },
  run: async ({ part, task }, context) => ({
    output: cut(task === undefined ? await parts[part](context) : await oneTask(context, task)),
    read: true,
  }),
})

const parts: Record<'tasks' | 'agents' | 'discoveries' | 'config', (move: MoveContext) => Promise<string>> = {
  tasks: async ({ board: { driver, board_id } }) => {
    const where = { board_id }
    const listed = await tasks.items(driver, { where, order: ['number'], limit: LISTED })
    const more = (await tasks.count(driver, where)) - listed.length
    const lines = listed.map((task) => {
      const waits = task.depends_on.length === 0 ? '' : `, depends on ${task.depends_on.join(', ')}`
      return `- ${task.id} ${task.status}, priority ${task.priority}, ${task.assigned_to ?? 'nobody'}${waits}: ${titleOf(task)}`
    })
    return listing(lines, more, 'There is no task yet.')
  },
  agents: async ({ board: { driver, board_id } }) => {
    const listed = await boardAgents.items(driver, { where: { board_id } })
    const lines = listed.map(
      ({ id, status, current_task, lease_expires }) => `- ${id} ${status} at ${current_task ?? 'no task'}, lease until ${lease_expires}`,
    )
    return listing(lines.slice(0, LISTED), lines.length - LISTED, 'No agent is registered.')
  },
  discoveries: async ({ board }) => {
    const found = (await recordsOf(board, 'discovery')).toReversed()
    const lines = found.map(({ id, by, urgency, severity, description, converted_to_task, dismissed }) => {
      const settled = converted_to_task ?? dismissed
      return `- ${id} by ${by}, ${urgency}, ${severity}: ${description}${settled === null ? '' : ` (settled: ${settled})`}`
    })
    return listing(lines.slice(0, LISTED), lines.length - LISTED, 'There is no discovery.')
  },
  config: async ({ board }) => {
    const { goal, signal, config } = await boardOf(board)
    return JSON.stringify({ goal, signal, config }, null, 2)
  },
}

async function oneTask({ board }: MoveContext, id: string): Promise<string> {
  const { item } = await needTask(board.driver, board.board_id, id)
  const { claim_generation: _claim, review_generation: _review, merging_by: _merging, ...task } = item
  return JSON.stringify(task, null, 2)
}

function listing(lines: readonly string[], more: number, none: string): string {
  if (lines.length === 0) return none
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function cut(text: string): string {
  return text.length <= CHARS ? text : `${text.slice(0, CHARS)}\n[cut here; ask for one task by its id]`
}
