import { contract, type RouteShape } from '../../src/api/contract.ts'
import { routes, type RouteName } from '../../src/api/routes.ts'
import { code, page, table } from './markdown.ts'
import { fieldsOf, shapeOf, typeText } from './schema-text.ts'

/** Every route with what it takes and gives. */
export function apiPage(): string {
  const names = Object.keys(routes) as RouteName[] // its keys are the names
  const general = [
    'Everything under `/api` needs `Authorization: Bearer TOKEN`; the token stands in the file `token` of the home (`troupe config path`).',
    'Bodies are JSON. A refusal is `{error: {code, message, retryable, details}}` with the [status of its code](exit-codes.md).',
    'The same as an OpenAPI 3.1 document, with every nested field: `GET /api/openapi.json`.',
    'What happens is told at `GET /api/events` ([events](events.md)); `GET /healthz` answers without a token.',
  ].join('\n')
  const list = table(
    ['Route', 'Name', 'Does'],
    names.map((name) => [code(routes[name]), `[${name}](#${name.toLowerCase()})`, contract[name].summary]),
  )
  return page('HTTP API', 'the table of routes and its contract in `src/api`', [
    general,
    list,
    ...names.map((name) => routeText(name, contract[name])),
  ])
}

function routeText(name: RouteName, { summary, query, body, reply }: RouteShape): string {
  const given = [
    ...(query ? fieldsOf(shapeOf(query)).map((field) => ({ ...field, where: 'query' })) : []),
    ...(body ? fieldsOf(shapeOf(body)).map((field) => ({ ...field, where: 'body' })) : []),
  ]
  const rows = given.map((field) => [code(field.name), field.where, code(field.type), field.default ?? 'needed', field.description])
  return [
    `### ${name}`,
    `${code(routes[name])} ${summary}.`,
    ...(rows.length > 0 ? [table(['Field', 'In', 'Type', 'Default', ''], rows)] : []),
    `Gives ${code(replyText(reply))}`,
  ].join('\n\n')
}

/** What would fill a screen shows its names; the OpenAPI document has the rest. */
function replyText(reply: RouteShape['reply']): string {
  const whole = typeText(shapeOf(reply))
  return whole.length > 400 ? typeText(shapeOf(reply), 0) : whole
}
