import * as z from 'zod'
import { exitCommandJsonSchema, llmChatJsonSchema } from '../../domain/job/history.ts'
import { defineOperation } from '../../domain/operation.ts'

const schemas = { 'exit-command.schema.json': exitCommandJsonSchema, 'llm-chat-schema.json': llmChatJsonSchema }
const SchemaName = z.enum(Object.keys(schemas) as (keyof typeof schemas)[]) // the keys of that table are its names

/** Made from the one definition by which answers are read. */
export const readSchema = defineOperation({
  name: 'job.schema',
  summary: 'Print a published schema of what agents of jobs are sent and answer',
  by: ['person'],
  effect: 'read',
  command: 'job schema [name]',
  input: z.strictObject({ name: SchemaName.default('exit-command.schema.json').describe('the name of its file') }),
  output: z.record(z.string(), z.unknown()),
  example: { name: 'llm-chat-schema.json' },
  tell: (schema) => JSON.stringify(schema, null, 2),
  run: async (_context: object, { name }) => ({ ...schemas[name]() }),
})
