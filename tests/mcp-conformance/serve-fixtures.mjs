// The fixtures behind the door of the real server: the same checks of token, Host, Origin and size, the same Node server, the same SDK handler.
import { createMcpHandler } from '@modelcontextprotocol/server'
import { listen } from '../../src/api/listen.ts'
import { createGuardedApp } from '../../src/api/server.ts'
import { fixtureServer } from './fixtures.mjs'

const token = 'a-token-of-the-length-that-tokens-really-have'
const app = createGuardedApp({ token, host: '127.0.0.1', bodyBytes: 1_000_000 })
const handler = createMcpHandler(fixtureServer)
app.all('/mcp', (c) => handler.fetch(c.req.raw))

const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ port, token })}\n`)
