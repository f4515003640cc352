import type * as z from 'zod'
import type { TeamRole } from '../../domain/board/agent.ts'
import type { Permission } from '../../domain/permission.ts'
import { perform, verbOf, type Operation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import type { BoardContext } from '../context.ts'
import type { BoardWorkspace, Identity } from '../desk.ts'

/** For whom and about what a move is made. It comes from the supervising process; a model has no say in it. */
export interface MoveContext {
  board: BoardWorkspace
  identity: Identity
  /** The task the agent was given; null for a planner. */
  task: string | null
  /** The commit and the spec as the reviewer was shown them. */
  review_commit: string | null
  spec_hash: string | null
}

export interface MoveAnswer {
  output: string
  /** It only read; an agent without our tools is told the output in its next prompt. */
  read?: boolean
  /** The agent's part is over with it. */
  ends?: boolean
  /** The task was approved with it, and waits to be merged. */
  approved?: boolean
}

/** Something a role may do on the board: a built-in tool, an MCP tool and a word of an outside agent alike. */
export interface BoardMove<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  roles: readonly TeamRole[]
  required_permissions: readonly Permission[]
  input: Input
  example: z.input<Input>
  run(input: z.infer<Input>, context: MoveContext): Promise<MoveAnswer>
}

/** The task the agent was given, whatever it would like to act on. */
export function assignedTask({ task, identity }: MoveContext): string {
  if (task !== null) return task
  throw new Problem('conflict', `${identity.agent} has no task now; it gets one from its supervisor`)
}

/** An operation that agents may do, as a move of theirs: `task` is the one they were given, unless they plan. */
export function moveFor(operation: Operation<string, BoardContext>): BoardMove {
  const roles = operation.by.filter((actor) => actor !== 'person' && actor !== 'client')
  return {
    name: verbOf(operation),
    description: operation.advice ?? operation.summary,
    roles,
    required_permissions: operation.needs ?? ['read_files'],
    input: operation.input,
    example: operation.example,
    run: async (input, context) => {
      const output = await perform(operation, { ...context.board, actor: context.identity }, input)
      return { output: operation.tell(output), ...(operation.ends === true && { ends: true }) }
    },
  }
}

/** Declares a move; its input is checked against its schema by the compiler. */
export function defineMove<Input extends z.ZodObject>(move: BoardMove<Input>): BoardMove<Input> {
  return move
}
