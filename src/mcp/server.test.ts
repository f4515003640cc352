import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { each, rowsOf } from '../domain/test-each.ts'
import { NextOutput } from '../workflows/client-answer.ts'
import { aHandler, ask, both, overHttp, PLANTED, plantedWorkflow } from './test-client.ts'

const names = [
  'workflow_list',
  'workflow_get',
  'workflow_start',
  'workflow_next',
  'workflow_resume',
  'workflow_validate',
  'workflow_validate_json',
  'workflow_get_schema',
]

for (const era of both) {
  test(`[W21] [W22] a client of ${era} is told of eight tools with schemas, honest hints and short descriptions`, async (t) => {
    const { client } = await overHttp(t, era)

    const { tools } = await client.listTools()

    assert.deepEqual(each(tools, 'name'), names)
    for (const tool of tools) {
      assert.ok(tool.title && tool.outputSchema && (tool.description?.length ?? 0) < 260, tool.name)
      assert.equal(tool.inputSchema['additionalProperties'], false, tool.name)
      assert.deepEqual([tool.annotations?.destructiveHint, tool.annotations?.openWorldHint], [false, false])
      assert.equal(tool.annotations?.readOnlyHint, !['workflow_start', 'workflow_next'].includes(tool.name))
    }
    const inContext = JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).length
    assert.ok(inContext < 5_000, `the definitions take ${inContext} bytes of the context of every model that may call them`)
  })

  test(`[W21] [W22] a client of ${era} gets the step exactly as specified`, async (t) => {
    const { client } = await overHttp(t, era)

    const { step, guidance, isComplete, stepKey } = await ask(client, 'workflow_next', {
      workflowId: 'planted',
      completedSteps: [],
      context: {},
    })

    assert.deepEqual(
      { step, guidance, isComplete },
      {
        step: plantedWorkflow.steps[0],
        guidance: {
          prompt: `## Agent Role\n${PLANTED}\n\n## Step Guidance\n- PLANTED hint one\n- PLANTED hint two\n\nDo the first thing.`,
        },
        isComplete: false,
      },
    )
    assert.equal(stepKey, 'first-step')
  })

  test(`[W23] for a client of ${era} content and structured content are each enough, and the role is marked for the assistant`, async (t) => {
    const { client } = await overHttp(t, era)

    const result = await client.callTool({ name: 'workflow_start', arguments: { workflowId: 'planted' } })

    const texts = result.content.flatMap((block) => (block.type === 'text' ? [block] : []))
    const forAssistant = texts.filter((block) => block.annotations?.audience?.includes('assistant'))
    const forUser = texts.filter((block) => block.annotations?.audience?.includes('user'))
    assert.deepEqual(NextOutput.parse(JSON.parse(forAssistant[0]?.text ?? '')), NextOutput.parse(result.structuredContent))
    assert.deepEqual(each(forUser, 'text'), ['Planted, step 1 of 3: First\n\nDo the first thing.'])
    for (const block of texts) assert.equal(block.text.includes('PLANTED'), block.annotations?.audience?.includes('assistant'))
  })

  test(`[W24] [W25] a client of ${era} that calls wrongly is told what was expected, what came and the call that is right`, async (t) => {
    const { client } = await overHttp(t, era)

    const refusals = []
    for (const { name, given } of wrongCalls) {
      const result = await client.callTool({ name, arguments: given })
      refusals.push(Refusal.parse(JSON.parse(result.content[0]?.type === 'text' ? result.content[0].text : '')).error)
      assert.equal(result.isError, true)
    }

    assert.deepEqual(
      refusals.map(({ code, call }) => ({ code, call: call?.arguments })),
      wrongCalls.map(({ code, right }) => ({ code, call: right })),
    )
    assert.deepEqual(each(refusals[1]?.details.issues ?? [], 'path'), ['completedSteps'])
    assert.match(refusals[1]?.message ?? '', /"first-step".*a list/)
    assert.deepEqual(rowsOf(refusals[3]?.details.issues ?? [], 'path', 'meant').at(-1), ['workflowid', 'workflowId'])
  })

  test(`[W24] a client of ${era} that names no tool of ours gets a protocol error`, async (t) => {
    const { client } = await overHttp(t, era)

    await assert.rejects(client.callTool({ name: 'workflow_nxt', arguments: {} }), (error: { code?: number }) => error.code === -32602)
  })

  test(`[W26] a client of ${era} may send 256 KiB of context and not more`, async (t) => {
    const { client } = await overHttp(t, era)
    const send = (bytes: number) =>
      client.callTool({
        name: 'workflow_next',
        arguments: { workflowId: 'planted', context: { text: 'x'.repeat(bytes - '{"text":""}'.length) } },
      })

    const [fits, tooMuch] = [await send(256 * 1024), await send(256 * 1024 + 1)]
    const judged = await client.callTool({
      name: 'workflow_validate',
      arguments: { workflowId: 'planted', stepId: 'first-step', output: 'x', context: { text: 'x'.repeat(256 * 1024) } },
    })

    assert.notEqual(fits.isError, true)
    assert.match(JSON.stringify(tooMuch.content), /too_large.*262145 bytes/)
    assert.match(JSON.stringify(judged.content), /too_large/)
  })

  test(`[W26] arguments of a client of ${era} that nobody could follow are refused as too large, not by a fault within`, async (t) => {
    const { client } = await overHttp(t, era)
    const { run } = await ask(client, 'workflow_start', { workflowId: 'planted' })

    const told = []
    for (const depth of [60, 1_000, 2_000]) {
      const { content } = await client.callTool({
        name: 'workflow_next',
        arguments: { run, output: 'x', context: { deep: nested(depth) } },
      })
      told.push(/too_large.*nested deeper than 64 levels/.test(JSON.stringify(content)))
    }

    assert.deepEqual(told, [false, true, true])
  })

  test(`[W7] a client of ${era} is told which variable is missing, and that the workflow is not complete`, async (t) => {
    const { client } = await overHttp(t, era)

    const answer = await ask(client, 'workflow_next', { workflowId: 'planted', completedSteps: ['first-step', 'second-step'] })

    assert.deepEqual([answer.status, answer.isComplete, answer.missing], ['blocked', false, ['size']])
    assert.match(answer.next, /"context": \{"size": …\}/)
  })
}

test('[W25] parameters that do not fit the protocol are the error of whoever sent them, in words', async (t) => {
  const { address, fetch } = await aHandler(t)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const requests = [
    { method: 'initialize', params: {} },
    { method: 'tools/list', params: { cursor: 5 } },
    { method: 'tools/call', params: {} },
  ]

  const answers = await Promise.all(
    requests.map(async (request, id) => {
      const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id, ...request }) })
      return response.text()
    }),
  )

  const words = ['params.protocolVersion: Invalid input: expected string', 'params.cursor: Invalid', 'params.name: Invalid']
  for (const [at, answer] of answers.entries())
    assert.ok(answer.includes(`"error":{"code":-32602,"message":"Invalid params: ${words[at]}`), answer)
})

test('[W21] the other tools list, describe, validate and give the format', async (t) => {
  const { client } = await overHttp(t, 2026)
  const call = async (name: string, args: Record<string, unknown>) => (await client.callTool({ name, arguments: args })).structuredContent

  const list = z
    .object({ workflows: z.array(z.looseObject({ id: z.string(), source: z.string() })) })
    .parse(await call('workflow_list', {}))
  const metadata = await call('workflow_get', { workflowId: 'planted', mode: 'metadata' })
  const preview = z
    .looseObject({ firstStep: z.looseObject({ id: z.string() }) })
    .parse(await call('workflow_get', { workflowId: 'planted' }))
  const verdict = await call('workflow_validate', { workflowId: 'planted', stepId: 'first-step', output: ' ' })
  const faulty = z
    .looseObject({ valid: z.boolean(), faults: z.array(z.looseObject({ field: z.string() })) })
    .parse(await call('workflow_validate_json', { workflowJson: '{"id": "x"}' }))
  const schema = z.looseObject({ formatVersion: z.int() }).parse(await call('workflow_get_schema', {}))

  assert.deepEqual(
    list.workflows.filter(({ source }) => source === 'project').map(({ id }) => id),
    ['planted'],
  )
  assert.ok(!JSON.stringify(metadata).includes('PLANTED'))
  assert.equal(preview.firstStep.id, 'first-step')
  assert.deepEqual(verdict, { valid: false, issues: ['The output is empty.'], suggestions: ['Say what was done and what came of it.'] })
  assert.ok(!faulty.valid && faulty.faults.some(({ field }) => field === 'steps'))
  assert.equal(schema.formatVersion, 1)
})

const Refusal = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.object({ issues: z.array(z.object({ path: z.string(), meant: z.string().optional() })).optional() }),
    call: z.object({ tool: z.string(), arguments: z.unknown() }).optional(),
  }),
})

/** An object in an object in an object. */
function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => ({ inner }), 1)
}

/** No run of anybody. */
const stranger = `wf_${'A'.repeat(24)}.0`

const wrongCalls: { name: string; given: Record<string, unknown>; code: string; right: unknown }[] = [
  { name: 'workflow_next', given: { workflowId: 'plantd' }, code: 'not_found', right: { workflowId: 'planted' } },
  {
    name: 'workflow_next',
    given: { workflowId: 'planted', completedSteps: 'first-step' },
    code: 'bad_input',
    right: { workflowId: 'planted', completedSteps: ['first-step'] },
  },
  {
    name: 'workflow_next',
    given: { workflowId: 'planted', completedSteps: ['first-stp'] },
    code: 'bad_input',
    right: { workflowId: 'planted', completedSteps: ['first-step'] },
  },
  { name: 'workflow_get', given: { workflowid: 'planted' }, code: 'bad_input', right: { workflowId: 'planted' } },
  {
    name: 'workflow_validate',
    given: { workflowId: 'planted', stepId: 'frist-step', output: 'x' },
    code: 'not_found',
    right: { workflowId: 'planted', stepId: 'first-step', output: 'x' },
  },
  {
    name: 'workflow_next',
    given: { workflowId: 'planted', completedSteps: [], run: stranger, output: 'x' },
    code: 'bad_input',
    right: { run: stranger, output: 'x' },
  },
  {
    name: 'workflow_next',
    given: { workflowId: 'planted', output: 'x' },
    code: 'bad_input',
    right: { workflowId: 'planted', completedSteps: [], context: {} },
  },
  { name: 'workflow_next', given: { run: 'mine', output: 'x' }, code: 'bad_input', right: undefined },
  { name: 'workflow_next', given: { run: stranger, output: 'x' }, code: 'not_found', right: undefined },
]
