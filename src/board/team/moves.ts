import * as z from 'zod'
import type { TeamRole } from '../../domain/board/agent.ts'
import { doorsOf } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { issueText, readValue } from '../../domain/text/schema-error.ts'
import { boardAgents, tasks } from '../../store/tables.ts'
import { defineTool } from '../../tools/gate.ts'
import type { Tool } from '../../tools/tool.ts'
import { agentOperations } from '../agent-operations.ts'
import { boardOf, needTask } from '../find.ts'
import { readSpec } from '../goal/spec.ts'
import { integrationSeen } from '../goal/take-in.ts'
import { recordsOf } from '../records.ts'
import { submitVerdict } from '../task/verdict.ts'
import { titleOf } from '../view/cards.ts'
import { moveFor, type BoardMove, type MoveAnswer, type MoveContext, defineMove, assignedTask } from './move.ts'

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

const written: readonly BoardMove[] = [readBoard]

const moves: Readonly<Record<TeamRole, readonly BoardMove[]>> = {
  planner: offeredTo('planner'),
  coder: offeredTo('coder'),
  code_reviewer: offeredTo('code_reviewer'),
}

/** The moves of a role: those it may make and no others. */
export function movesOf(role: TeamRole): readonly BoardMove[] {
  return moves[role]
}

function offeredTo(role: TeamRole): BoardMove[] {
  const operations = agentOperations.filter((operation) => operation.by.includes(role) && doorsOf(operation).includes('agent'))
  return [...operations.map((operation) => moveOf(operation, role)), ...written.filter(({ roles }) => roles.includes(role))]
}

function moveOf(operation: (typeof agentOperations)[number], role: TeamRole): BoardMove {
  const move = moveFor(operation, role)
  return operation === submitVerdict ? showingNewSpec(move) : move
}

/** The moves as tools of the agent that is at a site. The gate judges each call like that of any other tool. */
export function boardTools(role: TeamRole, context: MoveContext): Tool[] {
  let last: Promise<unknown> = Promise.resolve()
  /** The calls of one reply are made in the order they were written: a task is added before another depends on it. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined) // its caller hears of it
    return mine
  }
  return movesOf(role).map((move) =>
    defineTool({
      name: move.name,
      description: move.description,
      required_permissions: move.required_permissions,
      roles: move.roles,
      input: move.input,
      run: async (input) => {
        const { output, ends } = await inTurn(() => move.run(input, context))
        return { output, ...(ends === true && { ends: 'completed' as const }) }
      },
    }),
  )
}

/** Makes a move that came as data, from an outside agent. Nothing but the moves of its role is there for it. */
export async function makeMove(role: TeamRole, context: MoveContext, name: string, input: unknown): Promise<MoveAnswer> {
  const move = movesOf(role).find((candidate) => candidate.name === name)
  const names = movesOf(role).map((candidate) => candidate.name)
  if (move === undefined) throw new Problem('forbidden', `${role} may not ${name}; it may ${names.join(', ')}`)
  const read = readValue(move.input, input ?? {})
  if ('value' in read) return move.run(read.value, context)
  throw new Problem(
    'bad_input',
    `${name} does not fit: ${read.issues.map(issueText).join('; ')}. For example: ${JSON.stringify(move.example)}`,
  )
}

const CHARS = 20_000
const LISTED = 200

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

/** When the spec changed under a review, the reviewer is shown the new text and judges again. */
export function showingNewSpec(move: BoardMove): BoardMove {
  return {
    ...move,
    run: async (input, context) => {
      try {
        return await move.run(input, context)
      } catch (error) {
        throw await withNewSpec(context, error)
      }
    },
  }
}

async function withNewSpec(context: MoveContext, error: unknown): Promise<unknown> {
  if (!(error instanceof Problem) || typeof error.details['spec_hash'] !== 'string') return error
  const { item } = await needTask(context.board.driver, context.board.board_id, assignedTask(context))
  const spec = await readSpec(context.board.repository, await integrationSeen(context.board), item.spec_ref)
  if (spec === null) return error
  context.spec_hash = spec.spec_hash
  return new Problem(
    'conflict',
    `${item.spec_ref} changed while you reviewed. It reads now:\n${spec.text}\nJudge the work against this text.`,
  )
}
