import * as z from 'zod'
import { doorsOf, type Operation } from '../domain/operation.ts'
import { BoardScope } from './areas/board.ts'
import { contract, type RouteShape } from './contract.ts'
import { pathOf, requestOf } from './operation-routes.ts'
import { operations } from './operations.ts'
import { routes, type RouteName } from './routes.ts'

const ErrorView = z.object({
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean(), details: z.record(z.string(), z.unknown()) }),
})

/** The contract as an OpenAPI 3.1 document, generated so that it cannot say anything else. */
export function openApi(version: string) {
  const described = [
    ...Object.entries(contract).map(([name, shape]) => routeEntry(name as RouteName, shape)), // keys of the contract are route names
    ...operations.filter((each: Operation) => doorsOf(each).includes('http')).map(operationEntry),
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

function routeEntry(name: RouteName, { summary, query, body, reply }: RouteShape) {
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
      parameters: [...inPath, ...(query ? inQuery(query) : [])],
      ...(body ? { requestBody: { required: true, content: json(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })) } } : {}),
      responses: responses(summary, reply),
    },
  }
}

function operationEntry(operation: Operation) {
  const { name, summary, output } = operation
  const request = requestOf(operation, name.startsWith('board.') ? BoardScope.shape : {})
  return {
    method: 'post',
    path: pathOf(operation),
    entry: {
      operationId: name,
      summary,
      parameters: [],
      requestBody: { required: true, content: json(z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' })) },
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

function inQuery(query: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }))
}

function json(schema: unknown) {
  return { 'application/json': { schema } }
}
