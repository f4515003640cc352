import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doorsOf, type Operation } from '../domain/operation.ts'
import { pathOf } from './operation-routes.ts'
import { operations } from './operations.ts'
import { routes } from './routes.ts'
import { serveForTest } from './test-server.ts'

test('[C38] the OpenAPI document is generated from the contract and names every route and operation', async (t) => {
  const server = await serveForTest(t)

  const document = JSON.parse((await server.ask('/api/openapi.json')).text)

  const described = Object.entries<Record<string, { operationId: string }>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ]),
  )
  const overHttp = operations.filter((operation: Operation) => doorsOf(operation).includes('http'))
  const performed = Object.fromEntries(overHttp.map((operation) => [operation.name, `POST ${pathOf(operation)}`]))
  assert.deepEqual(Object.fromEntries(described), { ...routes, ...performed })
})

test('[R43] the OpenAPI document lists the roles that can be named, and a role that is added', async (t) => {
  const server = await serveForTest(t)
  const { roles } = server.services.context.agent

  const document = JSON.parse((await server.ask('/api/openapi.json')).text)

  const { schema } = document.paths['/api/chat/create'].post.requestBody.content['application/json']
  assert.deepEqual(schema.properties.agent_role.enum, roles.ids)
})
