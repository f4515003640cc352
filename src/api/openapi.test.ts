import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doorsOf, type Operation } from '../domain/operation.ts'
import { pathOf } from './operation-routes.ts'
import { operations } from './operations.ts'
import { serveForTest } from './test-server.ts'

test('[C38] the OpenAPI document is generated from the operations and names every one that is offered over HTTP', async (t) => {
  const server = await serveForTest(t)

  const document = JSON.parse((await server.ask('/api/openapi.json')).text)

  const described = Object.entries<Record<string, object>>(document.paths).map(([path, methods]) => [path, Object.keys(methods)])
  const overHttp = operations.filter((operation: Operation) => doorsOf(operation).includes('http'))
  const offered = overHttp.map((operation) => [pathOf(operation), operation.effect === 'read' ? ['post', 'get'] : ['post']])
  assert.deepEqual(Object.fromEntries(described), Object.fromEntries(offered))
})

test('[R43] the OpenAPI document lists the roles that can be named, and a role that is added', async (t) => {
  const server = await serveForTest(t)
  const { roles } = server.services.context.agent

  const document = JSON.parse((await server.ask('/api/openapi.json')).text)

  const { schema } = document.paths['/api/chat/create'].post.requestBody.content['application/json']
  assert.deepEqual(schema.properties.agent_role.enum, roles.ids)
})
