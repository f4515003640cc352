import type * as z from 'zod'
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { Effect, Operation } from '../domain/operation.ts'
import type { WorkflowContext } from '../workflows/context.ts'

/** What the tools work with; put together by the one who starts the server. */
export interface McpServices extends WorkflowContext {
  version: string
  /** More tools for this connection: those of an agent of the board. */
  more?: readonly McpTool[]
}

/** The person behind the client: whether the client can ask them, and what they said if it has. */
export interface Person {
  canBeAsked: boolean
  reply: 'missing' | 'confirmed' | 'declined'
  comment: string
}

/** What a tool hands back: the whole answer for the agent, and the part of it that people may see. */
export type McpReply<Output> = { structured: Output; forUser: string } | { ask: InputRequiredResult }

/** A tool as clients see it. */
export interface McpTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: string
  /** The name of the operation it was made from. */
  operation?: string
  title: string
  description: string
  input: Input
  output: Output
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: false }
  /** Arguments that would have been right, for the refusal of a call that was not. */
  example: z.input<Input>
  run(input: z.infer<Input>, services: McpServices, person: () => Person): Promise<McpReply<z.input<Output>>>
}

/** Declares a tool; input and output of `run` are checked against its schemas by the compiler and again at run time. */
export function defineMcpTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: McpTool<Input, Output>): McpTool<Input, Output> {
  return tool
}

/** What clients know a tool by: names and titles they have in their settings. `repeatable` says that the same call again changes nothing more. */
interface ToolNames {
  name: string
  title: string
  repeatable?: boolean
}

/** The tool of an operation: everything but its names is what the operation declares. */
export function toolOf<Input extends z.ZodObject, Output extends z.ZodObject>(
  operation: Operation<string, WorkflowContext, Input, Output>,
  names: ToolNames,
): McpTool<Input, Output> {
  const { input, output, example } = operation
  return {
    ...frameOf(operation, names),
    input,
    output,
    example,
    run: async (given, services) => {
      const result = await operation.run(services, given)
      return { structured: result as z.input<Output>, forUser: operation.tell(result) } // no output of an operation is transformed
    },
  }
}

/** The tool of an operation whose client reads more than people may, or other names of fields than they type. */
export function clientToolOf<Input extends z.ZodObject, Output extends z.ZodObject>(
  operation: Operation<string, WorkflowContext>,
  tool: ToolNames & Pick<McpTool<Input, Output>, 'input' | 'output' | 'example' | 'run'>,
): McpTool<Input, Output> {
  const { input, output, example, run, ...names } = tool
  return { ...frameOf(operation, names), input, output, example, run }
}

function frameOf(operation: Operation<string, WorkflowContext>, { name, title, repeatable }: ToolNames) {
  const { summary, advice = summary, effect } = operation
  return { name, operation: operation.name, title, description: advice, annotations: hintsOf(effect, repeatable) }
}

/** What a client may expect of a call, from what it does. */
export function hintsOf(effect: Effect, repeatable = effect === 'read'): McpTool['annotations'] {
  return { readOnlyHint: effect === 'read', destructiveHint: effect === 'final', idempotentHint: repeatable, openWorldHint: false }
}
