import type * as z from 'zod'
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { Driver } from '../store/driver.ts'
import type { CatalogueReader } from '../workflows/catalogue.ts'

/** What the tools work with; put together by whoever starts the server. The store is opened by the first call that needs it. */
export interface McpServices {
  version: string
  catalogue: CatalogueReader
  store: () => Promise<Driver>
  now: () => Date
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
  title: string
  description: string
  input: Input
  output: Output
  annotations: { readOnlyHint: boolean; destructiveHint: false; idempotentHint: boolean; openWorldHint: false }
  /** Arguments that would have been right, for the refusal of a call that was not. */
  example: z.input<Input>
  run(input: z.infer<Input>, services: McpServices, person: () => Person): Promise<McpReply<z.input<Output>>>
}

/** Declares a tool; input and output of `run` are checked against its schemas by the compiler and again at run time. */
export function defineMcpTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: McpTool<Input, Output>): McpTool<Input, Output> {
  return tool
}

/** Looks and changes nothing. */
export const readsOnlyHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const

/** Writes to the run it is called with, and nowhere else. */
export const advancesHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const

/** Makes something new with every call. */
export const createsHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const
