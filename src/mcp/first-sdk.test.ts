import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { aHandler, aMachine, ask, launcher } from './test-client.ts'

// The first SDK, which most clients in use were built with; the current one is used by the other tests.

for (const connect of [overStdio, overHttp]) {
  test(`[W22] the first SDK ${connect.name} shakes hands, lists the tools and gets a step`, async (t) => {
    const client = await connect(t)

    const { tools } = await client.listTools()
    const answer = await ask(client, 'workflow_next', { workflowId: 'planted', completedSteps: [], context: {} })

    assert.equal(client.getServerVersion()?.name, 'troupe')
    assert.ok(tools.some(({ name, outputSchema }) => name === 'workflow_next' && outputSchema !== undefined))
    assert.deepEqual([answer.step?.id, answer.isComplete], ['first-step', false])
    await assert.rejects(client.callTool({ name: 'workflow_nxt' }), /did you mean workflow_next\?/)
  })

  test(`[W22] [W27] the first SDK ${connect.name} plays a durable run, and the same call again gets the same answer`, async (t) => {
    const client = await connect(t)
    const { run } = await ask(client, 'workflow_start', { workflowId: 'planted' })

    const once = await ask(client, 'workflow_next', { run, output: 'did the first' })
    const twice = await ask(client, 'workflow_next', { run, output: 'did the first' })

    assert.deepEqual([once.stepKey, once], ['second-step', twice])
  })
}

test('[W30] the first SDK is asked for confirmation by a form, when it can ask', async (t) => {
  const client = await overStdio(t, { elicitation: {} })
  const asked: string[] = []
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { confirm: true } }
  })
  const { run } = await ask(client, 'workflow_start', { workflowId: 'planted', context: { size: 'Small' } })
  const second = await ask(client, 'workflow_next', { run, output: 'did the first' })

  const done = await ask(client, 'workflow_next', { run: second.run, output: 'did the second' })

  assert.equal(done.status, 'complete')
  assert.equal(asked.length, 1)
  assert.ok(asked[0]?.includes('did the second') && !asked[0].includes('PLANTED'))
})

async function overStdio(t: TestContext, capabilities: object = {}) {
  const { project, env } = await aMachine(t)
  return connected(t, new StdioClientTransport({ command: launcher, args: ['mcp'], cwd: project, env, stderr: 'pipe' }), capabilities)
}

async function overHttp(t: TestContext) {
  const { address, fetch } = await aHandler(t)
  return connected(t, new StreamableHTTPClientTransport(address, { fetch }), {})
}

async function connected(t: TestContext, transport: StdioClientTransport | StreamableHTTPClientTransport, capabilities: object) {
  const client = new Client({ name: 'first', version: '0' }, { capabilities })
  await client.connect(transport)
  t.after(() => client.close())
  return client
}
