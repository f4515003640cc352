import type * as z from 'zod'
import type { Permission } from './permission.ts'
import { Problem } from './problem.ts'
import { issueText, readValue } from './text/schema-error.ts'

/** Who may be given an operation: a person, an agent of a team, or an MCP client that follows a workflow. */
export type OperationActor = 'person' | 'planner' | 'coder' | 'code_reviewer' | 'client'

/** The ways to reach an operation. The page and every other program use `http`; `dry_run` says what would happen without doing it. */
export const doors = ['http', 'cli', 'agent', 'mcp', 'dry_run'] as const
export type Door = (typeof doors)[number]

/** `final` cannot be undone, so a screen asks before it does it. */
export type Effect = 'read' | 'change' | 'final'

/** Something that can be done, declared once beside the code that does it. Every door is made from this declaration. */
export interface Operation<
  Name extends string = string,
  Context extends object = object,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Kind extends Effect = Effect,
> {
  /** Its area and what it does, as in `board.unblock_task`; its address and the names of its tools follow from it. */
  name: Name
  /** What it does, as one sentence without a full stop. */
  summary: string
  by: readonly OperationActor[]
  effect: Kind
  input: Input
  output: Output
  /** An input that fits. Help, refusals and the reference show it. */
  example: z.input<Input>
  /** What a person types after `troupe`, with the fields given by position: `board unblock <task>`. */
  command?: string
  /** What an agent should know before it uses this; else it is told the summary. */
  advice?: string
  /** The permissions an agent's role must have; `read_files` unless said otherwise. */
  needs?: readonly Permission[]
  /** Fields that only people are asked for; the tool of an agent does not have them. */
  personal?: readonly (keyof z.input<Input> & string)[]
  /** The agent's turn is over once this is done. */
  ends?: boolean
  /** The doors it is kept from on purpose, each with the reason. */
  absent?: Partial<Record<Door, string>>
  /** The result as a sentence: what the terminal prints and an agent reads. */
  tell(output: z.output<Output>): string
  run(context: Context, input: z.output<Input>): Promise<z.output<Output>>
}

/** Declares an operation; the compiler holds example, result and function to its schemas. */
export function defineOperation<
  const Name extends `${string}.${string}`,
  Context extends object,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Kind extends Effect,
>(operation: Operation<Name, Context, Input, Output, Kind>): Operation<Name, Context, Input, Output, Kind> {
  return operation
}

/** `board.unblock_task` → `unblock_task`: what an agent's tool is called. */
export function verbOf({ name }: Pick<Operation, 'name'>): string {
  return name.slice(name.indexOf('.') + 1)
}

/** The doors an operation is offered at, by who may use it. An agent has a command line too, and says there who it is. */
export function doorsOf({ by, effect, command, absent = {} }: Operation): Door[] {
  const isPerson = by.includes('person')
  const isAgent = by.some((actor) => actor !== 'person' && actor !== 'client')
  const isTyped = command !== undefined && absent.cli === undefined && (isPerson || isAgent)
  const open: Record<Door, boolean> = {
    http: isPerson,
    cli: isTyped,
    agent: isAgent,
    mcp: isAgent || by.includes('client'),
    dry_run: effect !== 'read' && (isPerson || isTyped),
  }
  return doors.filter((door) => open[door] && absent[door] === undefined)
}

/** Does what an operation says with what somebody gave for it: parsed before, and nothing handed back but what it declares. */
export async function perform<Context extends object, Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<string, Context, Input, Output>,
  context: Context,
  given: unknown,
): Promise<z.output<Output>> {
  const input = readInput(operation, given)
  return operation.output.parse(await operation.run(context, input))
}

/** What somebody gave, as the operation takes it, or a refusal that names every wrong field and shows what would fit. */
export function readInput<Input extends z.ZodObject>(
  { name, input, example }: { name: string; input: Input; example: unknown },
  given: unknown,
): z.output<Input> {
  const read = readValue(input, given)
  if ('value' in read) return read.value
  const { issues } = read
  throw new Problem('bad_input', issues.map(issueText).join('; '), { details: { operation: name, issues, example } })
}
