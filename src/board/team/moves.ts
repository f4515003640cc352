import type { TeamRole } from '../../domain/board/agent.ts'
import { doorsOf } from '../../domain/operation.ts'
import { issueText, readValue } from '../../domain/text/schema-error.ts'
import { Problem } from '../../domain/problem.ts'
import { defineTool } from '../../tools/gate.ts'
import type { Tool } from '../../tools/tool.ts'
import { agentOperations } from '../agent-operations.ts'
import { submitVerdict } from '../task/submit-verdict.ts'
import { moveFor, type BoardMove, type MoveAnswer, type MoveContext } from './move.ts'
import { readBoard } from './read-board.ts'
import { showingNewSpec } from './reviewer/new-spec.ts'

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

/** The moves as tools of the agent that stands at a site. The gate judges each call like that of any other tool. */
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
