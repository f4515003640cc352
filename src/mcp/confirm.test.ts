import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { runView } from '../workflows/runs.ts'
import { ask, both, overHttp, overStdio, aMachine } from './test-client.ts'

const canAsk = { capabilities: { elicitation: { form: {} } } }

for (const era of both) {
  test(`[W30] a client of ${era} that can ask its user confirms by a form that shows only what people may see`, async (t) => {
    const { client } = await overStdio(t, era, await aMachine(t), canAsk)
    const asked: string[] = []
    const replies = [
      { action: 'decline' as const },
      { action: 'accept' as const, content: { confirm: false, comment: 'Too short.' } },
      { action: 'accept' as const, content: { confirm: true } },
    ]
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(JSON.stringify(params))
      return replies[asked.length - 1] ?? { action: 'cancel' }
    })
    const { run } = await secondStep(client)

    const declined = await ask(client, 'workflow_next', { run, output: 'did the second' })
    const refused = await ask(client, 'workflow_next', { run, output: 'did the second' })
    const confirmed = await ask(client, 'workflow_next', { run, output: 'did the second', context: { size: 'Small' } })

    assert.deepEqual([declined.status, refused.status, confirmed.status], ['invalid', 'invalid', 'complete'])
    assert.match(refused.issues[0] ?? '', /They said: Too short\./)
    assert.equal(asked.length, 3)
    for (const form of asked) assert.ok(form.includes('did the second') && !form.includes('PLANTED'), form)
  })

  test(`[W30] a client of ${era} that cannot ask is sent for a code that only people are shown`, async (t) => {
    const { client, store } = await overHttp(t, era)
    const { run } = await secondStep(client)

    const asked = await ask(client, 'workflow_next', { run, output: 'did the second' })
    const { confirmation } = await runView(store, run?.split('.')[0] ?? '')
    const confirmed = await ask(client, 'workflow_next', {
      run,
      output: 'did the second',
      context: { size: 'Small' },
      confirmation: confirmation?.code,
    })

    assert.equal(asked.status, 'confirmation_required')
    assert.match(asked.next, /the run wf_/)
    assert.ok(confirmation !== null && !JSON.stringify(asked).includes(confirmation.code))
    assert.equal(confirmed.status, 'complete')
  })
}

async function secondStep(client: Client): Promise<{ run: string | null }> {
  const { run } = await ask(client, 'workflow_start', { workflowId: 'planted' })
  return ask(client, 'workflow_next', { run, output: 'did the first' })
}
