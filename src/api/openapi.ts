import * as z from 'zod'
import { doorsOf, type Operation } from '../domain/operation.ts'
import { RoleId } from '../domain/role.ts'
import { BoardScope } from './areas/board.ts'
import { FolderScope } from './areas/folder-scope.ts'
import { contract, type RouteShape } from './contract.ts'
import { pathOf, requestOf } from './operation-routes.ts'
import { operations } from './operations.ts'
import { routes, type RouteName } from './routes.ts'

const ErrorView = z.object({
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean(), details: z.record(z.string(), z.unknown()) }),
})

/** What names the place that an area is about. */
const scopes: Readonly<Record<string, z.ZodObject>> = { board: BoardScope, role: FolderScope, settings: FolderScope }

/** The contract as an OpenAPI 3.1 document, generated so that it cannot say anything else. Where a role is named, it lists those of the server's folder. */
export function openApi(version: string, roles: readonly string[]) {
  const described = [
    ...Object.entries(contract).map(([name, shape]) => routeEntry(name as RouteName, shape, roles)), // keys of the contract are route names
    ...operations.filter((each: Operation) => doorsOf(each).includes('http')).map((each) => operationEntry(each, roles)),
  ]
  return {
    openapi: '3.1.0',
    info: { title: 'Troupe', version },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(
      [...Map.groupBy(described, ({ path }) => path)].map(([path, same]) => [
        path,
        Object.fromEntries(same.map(({ method, entry }) => [method, entry])),
      ]),
    ),
  }
}

function routeEntry(name: RouteName, { summary, query, body, reply }: RouteShape, roles: readonly string[]) {
  const [method = '', path = ''] = routes[name].split(' ')
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => ({
    name: param,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return {
    method: method.toLowerCase(),
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    entry: {
      operationId: name,
      summary,
      parameters: [...inPath, ...(query ? inQuery(query, roles) : [])],
      ...(body ? { requestBody: { required: true, content: json(inputSchema(body, roles)) } } : {}),
      responses: responses(summary, reply),
    },
  }
}

function operationEntry(operation: Operation, roles: readonly string[]) {
  const { name, summary, output } = operation
  const request = requestOf(operation, scopes[name.split('.')[0] ?? '']?.shape ?? {})
  return {
    method: 'post',
    path: pathOf(operation),
    entry: {
      operationId: name,
      summary,
      parameters: [],
      requestBody: { required: true, content: json(inputSchema(request, roles)) },
      responses: responses(summary, output),
    },
  }
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
