// The fixtures behind the door of the real server: the same checks of token, Host, Origin and size, the same Node server, the same SDK handler.
import { createMcpHandler } from '@modelcontextprotocol/server'
import { listen } from '../../src/api/listen.ts'
import { createApp } from '../../src/api/server.ts'
import { fixtureServer } from './fixtures.mjs'

const token = 'a-token-of-the-length-that-tokens-really-have'
const { signal: stopping } = new AbortController()
const door = { token, host: '127.0.0.1', bodyBytes: 1_000_000 }
const app = createApp({ ...door, services: { version: '0' }, handlers: {}, page: new Map(), stopping })
const handler = createMcpHandler(fixtureServer)
app.all('/mcp', (c) => handler.fetch(c.req.raw))

const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ port, token })}\n`)
