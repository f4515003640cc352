import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from './routes.ts'
import { serveForTest } from './test-server.ts'

test('[C38] the OpenAPI document is generated from the contract and names every route', async (t) => {
  const server = await serveForTest(t)

  const document = JSON.parse((await server.ask('/api/openapi.json')).text)

  const described = Object.entries<Record<string, { operationId: string }>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ]),
  )
  assert.deepEqual(Object.fromEntries(described), routes)
  assert.equal(document.paths['/api/chats/{id}'].get.parameters[0].name, 'id')
})
