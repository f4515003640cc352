import { operations } from '../../src/api/operations.ts'
import { pathOf } from '../../src/api/operation-routes.ts'
import { doorsOf, verbOf, type Operation } from '../../src/domain/operation.ts'
import { code, page, table } from './markdown.ts'

/** Every operation and the doors it is offered at, with the reason for each it is kept from. */
export function operationsPage(): string {
  const general = [
    'What people and agents can do, each declared once beside its code; every door is made from that declaration.',
    '*reads* changes nothing, *changes* can be undone or repeated, *final* cannot be undone.',
  ].join('\n')
  const all: readonly Operation[] = operations
  return page('Operations', 'the operations of `src`', [
    general,
    table(['Operation', 'Does', 'Who', 'Effect', 'HTTP', 'Command', 'Tool of agents', 'Dry run', 'Kept from'], all.map(row)),
  ])
}

function row(operation: Operation): string[] {
  const open = doorsOf(operation)
  const method = operation.effect === 'read' ? 'GET, POST' : 'POST'
  return [
    code(operation.name),
    operation.summary,
    operation.by.join(', '),
    { read: 'reads', change: 'changes', final: 'final' }[operation.effect],
    open.includes('http') ? code(`${method} ${pathOf(operation)}`) : '',
    open.includes('cli') ? code(`troupe ${operation.command}`) : '',
    open.includes('agent') || open.includes('mcp') ? code(verbOf(operation)) : '',
    open.includes('dry_run') ? 'yes' : '',
    Object.entries(operation.absent ?? {})
      .map(([door, why]) => `${door}: ${why}`)
      .join('; '),
  ]
}
