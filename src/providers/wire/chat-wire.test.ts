import assert from 'node:assert/strict'
import http from 'node:http'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { each, rowsOf } from '../../domain/test-each.ts'
import { listenHere } from '../../sandbox/test-surroundings.ts'
import { aRequest, assistant, never, tool, user } from '../test-entries.ts'
import { openProvider } from '../open.ts'

const done = { choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 7, completion_tokens: 3 } }

test('[A90] lines end in any way, events have comments and several lines, and pieces are cut anywhere, even inside a character', async (t) => {
  const stream = [
    ': waiting\r\n\r\n',
    'event: chunk\r\ndata: {"choices": [\r\ndata: {"delta": {"content": "Grüße"}}]}\r\n\r\n',
    'data:{"choices":[{"delta":{"content":" 👋"}}]}\n\n',
    `data: ${JSON.stringify(done)}\n\ndata: [DONE]\n\n`,
  ].join('')
  const { ask } = await aServer(t, () => Array.from(Buffer.from(stream), (byte) => Buffer.of(byte)))

  const reply = await ask()

  assert.equal(reply.text, 'Grüße 👋')
  assert.deepEqual(reply.usage, { input_tokens: 7, cached_input_tokens: 0, output_tokens: 3, cost_microusd: null })
})

test('[A90] calls are told apart by their place or by their ids, and one without an id gets one', async (t) => {
  const streams = [
    [piece(0, 'a', 'read_file', '{"path"'), piece(1, 'b', 'read_file', '{}'), piece(0, undefined, undefined, ':"x"}'), done],
    [piece(0, 'a', 'read_file', '{"path":"x"}'), piece(0, 'b', 'read_file', '{}'), done],
    [piece(undefined, undefined, 'read_file', '{"path"'), piece(undefined, undefined, undefined, ':"x"}'), done],
  ]
  const { ask } = await aServer(t, (number) => events(streams[number] ?? []))

  const replies = [await ask(), await ask(), await ask()]

  const both = [
    { id: 'a', tool: 'read_file', input: { path: 'x' } },
    { id: 'b', tool: 'read_file', input: {} },
  ]
  assert.deepEqual(each(replies, 'calls'), [both, both, [{ id: 'call_1', tool: 'read_file', input: { path: 'x' } }]])
  assert.equal(replies[0]?.stop, 'calls')
})

test('[A10] reasoning and thought signatures of a compatible server go back to it as they came', async (t) => {
  const call = {
    index: 0,
    id: 'a',
    function: { name: 'read_file', arguments: '{}' },
    extra_content: { google: { thought_signature: 's1' } },
  }
  const { ask, requests } = await aServer(t, () =>
    events([
      { choices: [{ delta: { reasoning_content: 'Let me ' } }] },
      { choices: [{ delta: { reasoning: 'look.' } }] },
      { choices: [{ delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: ' Well.' }] }] } }] },
      { choices: [{ delta: { content: [{ type: 'text', text: 'I look.' }], tool_calls: [call] } }] },
      done,
    ]),
  )

  const reply = await ask()
  const answers = reply.calls.map((asked) => tool(asked, 'A'))
  await ask({ entries: [user('Go.'), assistant(reply.text, reply.calls, reply.provider_data), ...answers] })

  assert.deepEqual(requests[1]?.messages[2], {
    role: 'assistant',
    content: 'I look.',
    reasoning_content: 'Let me look. Well.',
    tool_calls: [
      {
        id: 'a',
        type: 'function',
        function: { name: 'read_file', arguments: '{}' },
        extra_content: { google: { thought_signature: 's1' } },
      },
    ],
  })
})

test('[A15] an event that tells of an error or is no JSON voids the reply, and the turn is asked again', async (t) => {
  const text = { choices: [{ delta: { content: 'half' } }] }
  const streams = [events([text, { error: { message: 'overloaded' } }, done]), [Buffer.from('data: {"choices"\n\n')], events([text, done])]
  const { ask } = await aServer(t, (number) => streams[number] ?? [])
  const reasons: string[] = []

  const reply = await ask({}, reasons)

  assert.equal(reply.text, 'half')
  assert.equal(reasons.length, 2)
  assert.match(reasons[0] ?? '', /broke off: overloaded/)
  assert.match(reasons[1] ?? '', /broke off: .*JSON/)
})

test('[A90] a reply that was cut, filtered or refused says so', async (t) => {
  const streams = [ends('length'), ends('content_filter'), ends('stop', { refusal: 'I will not.' }), ends('eos', { content: 'ok' })]
  const { ask } = await aServer(t, (number) => streams[number] ?? [])

  const replies = [await ask(), await ask(), await ask(), await ask()]

  assert.deepEqual(rowsOf(replies, 'stop', 'text'), [
    ['length', ''],
    ['filtered', ''],
    ['filtered', 'I will not.'],
    ['end', 'ok'],
  ])
})

test('[A14] what a server said is found wherever it put it', async (t) => {
  const bodies = ['{"error":"no such model"}', '{"object":"error","message":"bad request"}', '<h1>Not here</h1>', '{"detail":"forbidden"}']
  const { ask } = await aServer(t, (number) => [Buffer.from(bodies[number] ?? '')], 400)

  for (const said of ['no such model', 'bad request', '<h1>Not here</h1>', 'forbidden'])
    await assert.rejects(ask(), { message: new RegExp(`^own answered 400: ${said}\\. `) })
})

/** A piece of a call, as it is in an event. */
function piece(index: number | undefined, id: string | undefined, name: string | undefined, text: string): object {
  return { choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: text } }] } }] }
}

function ends(finish_reason: string, delta: object = {}): Buffer[] {
  return events([{ choices: [{ delta, finish_reason }] }])
}

function events(list: readonly object[]): Buffer[] {
  return list.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
}

interface Asked {
  messages: unknown[]
}

/** A server that writes exactly the given pieces in answer to its first, second, … request, and a way to ask it. */
async function aServer(t: TestContext, piecesOf: (number: number) => readonly Buffer[], status = 200) {
  const requests: Asked[] = []
  const server = http.createServer((request, response) => void answer(request, response))
  const port = await listenHere(t, server)
  t.after(() => server.closeAllConnections())

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set, so chunks are buffers
    const pieces = piecesOf(requests.push(JSON.parse(Buffer.concat(chunks).toString()) as Asked) - 1) // what our own wire wrote
    response.writeHead(status, { 'content-type': 'text/event-stream' })
    for (const bytes of pieces) {
      response.write(bytes)
      await nextLoop()
    }
    response.end()
  }

  const provider = await openProvider('own', {
    env: {},
    providers: { own: { kind: 'openai-compatible', base_url: `http://127.0.0.1:${port}/v1` } },
    retry: { base_ms: 1, cap_ms: 2 },
  })
  const ask = (fields: Parameters<typeof aRequest>[0] = {}, reasons: string[] = []) =>
    provider.ask(aRequest(fields), never, { onRetry: ({ reason }) => void reasons.push(reason) })
  return { ask, requests }
}
