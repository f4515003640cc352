import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { unbounded } from '../domain/bounds.ts'
import { Problem } from '../domain/problem.ts'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { connectServer } from './connection.ts'
import { serverSession } from './session.ts'
import { aReviewedServer, aServer, placeIn } from './test-servers.ts'

test('[M122] a server elsewhere is found to speak the modern protocol, and its tool is called with the header it wants', async (t) => {
  const { url, headers } = await remote(t)
  const server = await aReviewedServer(t, { url, headers: { 'x-key': 'KEY' } }, 'remote', { KEY: 'the-key' })
  const [tool] = server.reviewed?.tools ?? []
  assert.ok(tool)
  const session = serverSession()
  t.after(() => session.end())

  const place = await placeIn(await testFolder(t))
  const result = await session.call({ server, tool, input: { name: 'Ada' }, place, signal: new AbortController().signal })

  assert.deepEqual(result.content, [{ type: 'text', text: 'Hello Ada' }])
  assert.deepEqual([server.reviewed?.era, new Set(headers)], ['modern', new Set(['the-key'])])
})

test('[M122] a server that only speaks the older protocol is asked once which it speaks, and not again', async (t) => {
  const { url, methods } = await remote(t, 'legacy')

  const server = await aReviewedServer(t, { url })
  const before = methods.filter((method) => method === 'server/discover').length
  const connection = await connectServer(server, await placeIn(await testFolder(t)), new AbortController().signal)
  await connection.close()

  const after = methods.filter((method) => method === 'server/discover').length
  assert.deepEqual([server.reviewed?.era, connection.era, before > 0, after === before], ['legacy', 'legacy', true, true])
})

test('[M122] a role without a network reaches no server elsewhere, and one that is not there is a clear refusal', async (t) => {
  const { url } = await remote(t)
  const [here, gone] = [await aServer(t, { url }), await aServer(t, { url: 'http://127.0.0.1:1/mcp' })]
  const root = await testFolder(t)
  const { signal } = new AbortController()
  const offline = await placeIn(root, { bounds: { ...unbounded, network: 'off' } })

  const codes = await Promise.all([
    connectServer(here, offline, signal).catch(codeOf),
    connectServer(gone, await placeIn(root), signal).catch(codeOf),
  ])

  assert.deepEqual(codes, ['denied', 'provider_failed'])
})

/** A server of tools over HTTP, with what it was asked; `legacy` knows nothing of the modern protocol. */
async function remote(t: Cleanup, era?: 'legacy') {
  const headers: (string | undefined)[] = []
  const methods: string[] = []
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'remote', version: '1' })
    server.registerTool('greet', { description: 'Greets.', inputSchema: z.object({ name: z.string() }) }, async ({ name }) => {
      return { content: [{ type: 'text', text: `Hello ${name}` }] }
    })
    return server
  })
  const answer = async (request: IncomingMessage) => {
    const body = (await buffer(request)).toString()
    const method = methodIn(body)
    methods.push(method)
    headers.push(request.headers['x-key'] as string | undefined) // a header that is sent once
    if (era === 'legacy' && method === 'server/discover') return new Response('unknown', { status: 404 })
    const { host, ...sent } = request.headers
    const init = { method: request.method ?? 'POST', headers: sent as Record<string, string>, ...(body !== '' && { body }) }
    return handler.fetch(new Request(`http://${host}/mcp`, init))
  }
  const server = createServer((request, response) => {
    void answer(request).then(async (answered) => {
      response.writeHead(answered.status, Object.fromEntries(answered.headers))
      response.end(Buffer.from(await answered.arrayBuffer()))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, headers, methods } // a listening TCP server has one
}

function methodIn(body: string): string {
  try {
    return String((JSON.parse(body) as { method?: string }).method)
  } catch {
    return ''
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Problem ? error.code : error
}
