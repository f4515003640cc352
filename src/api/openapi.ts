import * as z from 'zod'
import { contract, type RouteShape } from './contract.ts'
import { routes, type RouteName } from './routes.ts'

const ErrorView = z.object({
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean(), details: z.record(z.string(), z.unknown()) }),
})

/** The contract as an OpenAPI 3.1 document, generated so that it cannot say anything else. */
export function openApi(version: string) {
  const operations = Object.entries(contract).map(([name, shape]) => operation(name as RouteName, shape)) // keys of the contract are route names
  return {
    openapi: '3.1.0',
    info: { title: 'Troupe', version },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(
      [...Map.groupBy(operations, ({ path }) => path)].map(([path, same]) => [
        path,
        Object.fromEntries(same.map(({ method, described }) => [method, described])),
      ]),
    ),
  }
}

function operation(name: RouteName, { summary, query, body, reply }: RouteShape) {
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
    described: {
      operationId: name,
      summary,
      parameters: [...inPath, ...(query ? inQuery(query) : [])],
      ...(body ? { requestBody: { required: true, content: json(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })) } } : {}),
      responses: {
        200: { description: summary, content: json(z.toJSONSchema(reply, { unrepresentable: 'any' })) },
        default: { description: 'A problem', content: json(z.toJSONSchema(ErrorView)) },
      },
    },
  }
}

function inQuery(query: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }))
}

function json(schema: unknown) {
  return { 'application/json': { schema } }
}
