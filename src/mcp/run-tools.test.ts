import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import * as z from 'zod'
import { runView } from '../workflows/runs.ts'
import { NextOutput } from '../workflows/client-answer.ts'
import { aHandler, ask, clientOf, overHttp } from './test-client.ts'

const rounds = {
  id: 'rounds',
  type: 'loop',
  title: 'Rounds',
  loop: { type: 'while', condition: { var: 'go', equals: true }, maxIterations: 5 },
  body: [{ id: 'work', title: 'Work', prompt: 'Do a round.' }],
}
const loopy = {
  id: 'loopy',
  name: 'Loopy',
  description: 'For a test.',
  version: '1.0.0',
  steps: [rounds, { id: 'deploy', title: 'Deploy', prompt: 'Deploy it.' }],
}

test('[W100] over MCP an output keeps its step when the variable that ends the loop travels with it', async (t) => {
  const handler = await aHandler(t)
  await writeFile(join(handler.project, '.troupe/workflows/loopy.json'), JSON.stringify(loopy))
  const client = await clientOf(t, 2026, handler)

  const first = await ask(client, 'workflow_start', { workflowId: 'loopy', context: { go: true } })
  const second = await ask(client, 'workflow_next', { run: first.run, output: 'Round one', context: { go: true } })
  const third = await ask(client, 'workflow_next', { run: second.run, output: 'Round two', context: { go: false } })

  const { steps } = await runView(handler.store, third.run?.split('.')[0] ?? '')
  assert.equal(third.stepKey, 'deploy')
  assert.deepEqual(
    steps.map(({ key, output }) => [key, output]),
    [
      ['rounds@1::work', 'Round one'],
      ['rounds@2::work', 'Round two'],
    ],
  )
})

test('[W101] over MCP the sender of an output that was not recorded reads so in what to do next', async (t) => {
  const handler = await aHandler(t)
  await writeFile(join(handler.project, '.troupe/workflows/loopy.json'), JSON.stringify(loopy))
  const client = await clientOf(t, 2026, handler)
  const first = await ask(client, 'workflow_start', { workflowId: 'loopy' })

  const opened = await ask(client, 'workflow_next', { run: first.run, output: 'An answer', context: { go: true } })

  assert.deepEqual([first.status, opened.status, opened.stepKey], ['blocked', 'step', 'rounds@1::work'])
  assert.ok(opened.issues[0] !== undefined && opened.next.startsWith(opened.issues[0]))
})

test('[W105] a run whose handle was lost is found again over MCP, with its newest handle and its open step', async (t) => {
  const { client } = await overHttp(t, 2026)
  const first = await ask(client, 'workflow_start', { workflowId: 'planted' })
  const second = await ask(client, 'workflow_next', { run: first.run, output: 'did the first' })

  const listed = await client.callTool({ name: 'workflow_resume', arguments: {} })
  const [found] = z.object({ runs: z.array(z.looseObject({ run: z.string(), step: z.string() })) }).parse(listed.structuredContent).runs
  const resumed = await client.callTool({ name: 'workflow_resume', arguments: { run: first.run } })
  const { open } = z.object({ open: NextOutput }).parse(resumed.structuredContent)
  const unknown = await client.callTool({ name: 'workflow_resume', arguments: { run: 'wf_nobody' } })

  assert.deepEqual([found?.run, found?.step], [second.run, 'Second'])
  assert.deepEqual([open.run, open.stepKey, open.step?.agentRole], [second.run, 'second-step', second.step?.agentRole])
  assert.equal(unknown.isError, true)
})

test('[W105] the list of runs names no role, and leaves out those that are over', async (t) => {
  const { client } = await overHttp(t, 2025)
  const done = await ask(client, 'workflow_start', { workflowId: 'planted' })
  await ask(client, 'workflow_next', { run: done.run, output: 'x', context: { size: 'Large' } })

  const listed = JSON.stringify(await client.callTool({ name: 'workflow_resume', arguments: {} }))

  assert.ok(listed.includes('Planted') && !listed.includes('PLANTED'))
})

test('[W22] a revision that is not served is refused with all that are', async (t) => {
  const { fetch, address } = await aHandler(t)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '1999-01-01',
  }

  const refused = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) })

  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /2026-07-28.*2025-11-25/)
})
