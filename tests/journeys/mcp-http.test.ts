import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { anAccount } from '../../src/cli/test-account.ts'
import { serving } from '../../src/cli/test-serving.ts'
import { each } from '../../src/domain/test-each.ts'
import { NextOutput } from '../../src/workflows/client-answer.ts'
import { type Era, eras } from '../../src/mcp/test-client.ts'

const both: readonly Era[] = [2025, 2026]

for (const era of both) {
  test(`[W33] [W22] a client of ${era} with the token plays a durable run over the served HTTP`, async (t) => {
    const { url, token } = await serving(t, await anAccount(t))
    const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: eras[era] } })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
    t.after(() => client.close())

    const start = await client.callTool({ name: 'workflow_start', arguments: { workflowId: 'code-review' } })
    const { run, stepKey } = NextOutput.parse(start.structuredContent)
    const next = await client.callTool({
      name: 'workflow_next',
      arguments: { run, output: 'It fixes a crash.', context: { files: ['a.ts'] } },
    })

    assert.equal(stepKey, 'understand-intent')
    assert.equal(NextOutput.parse(next.structuredContent).stepKey, 'read-files@1::read-file')
  })
}

test('[W33] without the token or from the page of another site nobody gets to the workflows', async (t) => {
  const { url, token } = await serving(t, await anAccount(t))
  const ask = (headers: Record<string, string>) =>
    fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
  const authorization = `Bearer ${token}`

  const answers = await Promise.all([
    ask({}),
    ask({ authorization: 'Bearer wrong' }),
    ask({ authorization, origin: 'https://evil.example' }),
    ask({ authorization }),
  ])

  assert.deepEqual(each(answers, 'status'), [401, 401, 403, 200])
})
