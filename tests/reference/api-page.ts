import { operations } from '../../src/api/operations.ts'
import { pathOf } from '../../src/api/operation-routes.ts'
import { doorsOf, type Operation } from '../../src/domain/operation.ts'
import { code, page, table } from './markdown.ts'
import { fieldsOf, shapeOf, typeText } from './schema-text.ts'

/** Every operation that is offered over HTTP, with what it takes and gives. */
export function apiPage(): string {
  const all: readonly Operation[] = operations
  const general = [
    'Everything under `/api` needs `Authorization: Bearer TOKEN`; the token is in the file `token` in the home (`troupe config path`).',
    'Every address takes `POST` with a JSON body; what only reads takes `GET` with the same fields in its query too. What changes something takes `dry_run`.',
    'A refusal is `{error: {code, message, retryable, details, next}}` with the [status of its code](exit-codes.md).',
    'The same as an OpenAPI 3.1 document, with every nested field: `GET /api/openapi.json`.',
    'What happens is told at `GET /api/events` ([events](events.md)); `GET /healthz` answers without a token.',
  ].join('\n')
  return page('HTTP API', 'the operations of `src`', [
    general,
    ...all.filter((operation) => doorsOf(operation).includes('http')).map(operationText),
  ])
}

function operationText(operation: Operation): string {
  const { name, summary, input, output, effect } = operation
  const rows = fieldsOf(shapeOf(input)).map((field) => [code(field.name), code(field.type), field.default ?? 'needed', field.description])
  return [
    `### ${name}`,
    `${code(`${effect === 'read' ? 'GET, POST' : 'POST'} ${pathOf(operation)}`)} ${summary}.`,
    ...(rows.length > 0 ? [table(['Field', 'Type', 'Default', ''], rows)] : []),
    `Gives ${code(replyText(output))}`,
  ].join('\n\n')
}

/** What would fill a screen shows its names; the OpenAPI document has the rest. */
function replyText(reply: Operation['output']): string {
  const whole = typeText(shapeOf(reply))
  return whole.length > 400 ? typeText(shapeOf(reply), 0) : whole
}
