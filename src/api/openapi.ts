import * as z from 'zod'
import { doorsOf, type Operation } from '../domain/operation.ts'
import { RoleId } from '../domain/role.ts'
import { BoardScope } from './areas/board.ts'
import { FolderScope } from './areas.ts'
import { pathOf, requestOf } from './operation-routes.ts'
import { operations } from './operations.ts'

const ErrorView = z.object({
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean(), details: z.record(z.string(), z.unknown()) }),
})

/** What names the place that an area is about. */
const scopes: Readonly<Record<string, z.ZodObject>> = { board: BoardScope, role: FolderScope, settings: FolderScope }

/** The contract as an OpenAPI 3.1 document, generated so that it cannot say anything else. Where a role is named, it lists those of the server's folder. */
export function openApi(version: string, roles: readonly string[]) {
  const described = operations.filter((each: Operation) => doorsOf(each).includes('http'))
  return {
    openapi: '3.1.0',
    info: { title: 'Troupe', version },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(described.map((operation) => [pathOf(operation), operationEntry(operation, roles)])),
  }
}

function operationEntry(operation: Operation, roles: readonly string[]) {
  const { name, summary, output } = operation
  const request = requestOf(operation, scopes[name.split('.')[0] ?? '']?.shape ?? {})
  const post = {
    operationId: name,
    summary,
    requestBody: { required: true, content: json(inputSchema(request, roles)) },
    responses: responses(summary, output),
  }
  if (operation.effect !== 'read') return { post }
  const get = { operationId: `${name}.get`, summary, parameters: inQuery(request, roles), responses: post.responses }
  return { post, get }
}

function responses(summary: string, reply: z.ZodType) {
  return {
    200: { description: summary, content: json(z.toJSONSchema(reply, { unrepresentable: 'any' })) },
    default: { description: 'A problem', content: json(z.toJSONSchema(ErrorView)) },
  }
}

function inQuery(query: z.ZodObject, roles: readonly string[]) {
  const { properties = {}, required = [] } = inputSchema(query, roles)
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }))
}

function inputSchema(schema: z.ZodType, roles: readonly string[]) {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === RoleId) jsonSchema.enum = [...roles]
    },
  })
}

function json(schema: unknown) {
  return { 'application/json': { schema } }
}
