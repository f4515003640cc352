import * as z from 'zod'
import type { TeamRole } from '../../domain/board/agent.ts'
import type { Permission } from '../../domain/permission.ts'
import { perform, verbOf, type Operation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import type { BoardContext, BoardWorkspace, Identity } from '../context.ts'

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
  /** What the operation gave back. */
  result?: unknown
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

/**
 * An operation as a tool of a role. A planner names the task it means; the others change only the task they were given, as they were
 * shown it, so that their tools have no field for it.
 */
export function moveFor(operation: Operation<string, BoardContext>, role: TeamRole): BoardMove {
  const supplied = role === 'planner' || operation.effect === 'read' ? [] : assigned.filter((field) => field in operation.input.shape)
  const left = new Set<string>([...supplied, ...(operation.personal ?? [])])
  const asked = <Value>(fields: Record<string, Value>) => Object.fromEntries(Object.entries(fields).filter(([field]) => !left.has(field)))
  return {
    name: verbOf(operation),
    description: operation.advice ?? operation.summary,
    roles: [role],
    required_permissions: operation.needs ?? ['read_files'],
    input: z.strictObject(asked(operation.input.shape)),
    example: asked(operation.example),
    run: async (input, context) => {
      const given = Object.fromEntries(supplied.map((field) => [field, field === 'task' ? assignedTask(context) : context[field]]))
      const result = await perform(operation, { ...context.board, actor: context.identity }, { ...input, ...given })
      return { output: operation.tell(result), result, read: operation.effect === 'read', ends: operation.ends === true }
    },
  }
}

/** The fields that the supervising process knows. */
const assigned = ['task', 'review_commit', 'spec_hash'] as const

/** Declares a move; its input is checked against its schema by the compiler. */
export function defineMove<Input extends z.ZodObject>(move: BoardMove<Input>): BoardMove<Input> {
  return move
}
