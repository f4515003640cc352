import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doorsOf, type Operation } from '../domain/operation.ts'
import { each } from '../domain/test-each.ts'
import { workflowOperations } from '../workflows/operations.ts'
import { hintsOf } from './tool.ts'
import { mcpTools } from './tools.ts'

test('[W108] every operation for clients is a tool, every tool comes from one, and its hints follow from what it does', () => {
  const operations: readonly Operation[] = workflowOperations
  const forClients = operations.filter((operation) => operation.by.includes('client') && doorsOf(operation).includes('mcp'))

  assert.deepEqual(new Set(each(mcpTools, 'operation')), new Set(each(forClients, 'name')))
  for (const { operation, annotations } of mcpTools) {
    const effect = operations.find(({ name }) => name === operation)?.effect
    assert.deepEqual([annotations.readOnlyHint, annotations.destructiveHint], [effect === 'read', effect === 'final'], operation)
  }
  assert.deepEqual(hintsOf('final'), { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false })
})
