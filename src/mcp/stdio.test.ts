import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aMachine, ask, both, launcher, overStdio, plantedWorkflow } from './test-client.ts'

for (const era of both) {
  test(`[W22] [W16] a client of ${era} plays a workflow over stdio and sees an edit with the next call`, async (t) => {
    const machine = await aMachine(t)
    const { client } = await overStdio(t, era, machine)

    const before = await ask(client, 'workflow_next', { workflowId: 'planted' })
    await writeFile(
      join(machine.project, '.troupe/workflows/planted.json'),
      JSON.stringify({ ...plantedWorkflow, steps: [{ id: 'edited', title: 'Edited', prompt: 'Now this.' }] }),
    )
    const after = await ask(client, 'workflow_next', { workflowId: 'planted' })

    assert.deepEqual([before.step?.id, after.step?.id], ['first-step', 'edited'])
  })
}

test('[W31] two clients in two processes advance one run; one output is taken and both hear the same', async (t) => {
  const machine = await aMachine(t)
  const [one, two] = [await overStdio(t, 2025, machine), await overStdio(t, 2026, machine)]
  const { run } = await ask(one.client, 'workflow_start', { workflowId: 'planted' })

  const same = await Promise.all([one, two].map(({ client }) => ask(client, 'workflow_next', { run, output: 'the same text' })))

  assert.deepEqual(same[0], same[1])
  assert.equal(same[0]?.stepKey, 'second-step')
})

test('[W31] a client that is killed mid-call leaves a run the next client carries on', async (t) => {
  const machine = await aMachine(t)
  const first = await overStdio(t, 2026, machine)
  const { run } = await ask(first.client, 'workflow_start', { workflowId: 'planted' })
  const dying = ask(first.client, 'workflow_next', { run, output: 'said while dying' }).catch(() => null)
  const { pid } = first.transport
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  await dying

  const second = await overStdio(t, 2026, machine)
  const answer = await ask(second.client, 'workflow_next', { run, output: 'said while dying' })

  assert.equal(answer.stepKey, 'second-step')
})

test('[W32] the server writes nothing but the protocol and ends when its client hangs up, even in mid-call', async (t) => {
  const { project, env } = await aMachine(t)
  const server = spawn(launcher, ['mcp'], { cwd: project, env })
  const out: string[] = []
  server.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()))
  const request = (id: number, method: string, params: object) =>
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  const clientInfo = { name: 'test', version: '0' }
  request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  request(2, 'tools/call', { name: 'workflow_start', arguments: { workflowId: 'planted' } })
  while (!out.join('').includes('"id":2')) await once(server.stdout, 'data')
  request(3, 'tools/call', { name: 'workflow_list', arguments: {} })

  server.stdin.end()
  const [code] = (await once(server, 'exit')) as [number | null] // what `exit` carries

  assert.equal(code, 0)
  for (const line of out.join('').trim().split('\n')) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, '2.0') // any message of the protocol
})

const call = (id: number, method: string, params: object) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`

test('[W104] fifty runs asked for before the client hangs up are all answered', async (t) => {
  const { project, env } = await aMachine(t)
  const server = spawn(launcher, ['mcp'], { cwd: project, env })
  const out: string[] = []
  server.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()))
  const clientInfo = { name: 'test', version: '0' }
  const start = { name: 'workflow_start', arguments: { workflowId: 'planted' } }

  server.stdin.end(
    call(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }) +
      Array.from({ length: 50 }, (_, at) => call(at + 1, 'tools/call', start)).join(''),
  )
  const [code] = (await once(server, 'close')) as [number | null] // what `close` carries

  assert.equal(code, 0)
  assert.equal(out.join('').trim().split('\n').length, 51)
})
