import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRequest, assistant, never, note, tool, user } from '../test-entries.ts'
import { openWire, wireNames } from '../../../tests/open-wire.ts'

for (const wire of wireNames) {
  test(`[A1] over the ${wire} wire a reply has its text streamed, its parallel calls in order, and its usage`, async (t) => {
    const calls = [
      { tool: 'read_file', input: { path: 'a' } },
      { tool: 'read_file', input: { path: 'b' } },
    ]
    const { provider } = await openWire(t, wire, {
      replies: [
        { text: 'I read both files.', calls, usage: { input_tokens: 30, cached_input_tokens: 20, output_tokens: 9 } },
        { text: 'Done.' },
      ],
      chunk_chars: 4,
    })
    const deltas: string[] = []

    const reply = await provider.ask(aRequest(), never, { onText: (delta) => deltas.push(delta) })
    const last = await provider.ask(aRequest(), never)

    assert.equal(reply.text, 'I read both files.')
    assert.equal(deltas.join(''), reply.text)
    assert.ok(deltas.length > 1, 'the text came in one piece')
    assert.deepEqual(
      reply.calls.map(({ tool: name, input }) => ({ tool: name, input })),
      calls,
    )
    assert.deepEqual(reply.usage, { input_tokens: 30, cached_input_tokens: 20, output_tokens: 9, cost_microusd: null })
    assert.deepEqual([reply.stop, last.stop, last.text], ['calls', 'end', 'Done.'])
  })

  test(`[A6] over the ${wire} wire a whole thread arrives: replies, answers in the order of the calls, notes marked as the runtime's`, async (t) => {
    const { server, provider } = await openWire(t, wire, {})
    const [one, two] = [
      { id: 'c1', tool: 'read_file', input: { path: 'a' } },
      { id: 'c2', tool: 'read_file', input: { path: 'b' } },
    ]
    const entries = [
      user('Read them.'),
      assistant('Reading.', [one, two]),
      tool(two, 'B-CONTENT'),
      note('role_change', 'The user switched to planner.'),
      tool(one, 'Planner may not', 'denied'),
      user('And now?'),
    ]

    await provider.ask(aRequest({ entries }), never)

    const sent = JSON.stringify(server.requests[0]?.body)
    const order = [
      'You are the Actor.',
      'Read them.',
      'Reading.',
      'Planner may not',
      'B-CONTENT',
      'not the user: role_change',
      'And now?',
    ].map((words) => sent.indexOf(words))
    assert.ok(
      order.slice(1).every((place, at) => place > (at === 0 ? -1 : (order[at] ?? 0))),
      `${order.join(' ')} in ${sent}`,
    )
  })

  test(`[A9] over the ${wire} wire arguments that are no JSON reach the gate as text, and the thread can go on`, async (t) => {
    const bad = wire === 'google' ? '"not an object"' : '{"path": "a'
    const { server, provider } = await openWire(t, wire, { replies: [{ calls: [{ tool: 'read_file', input: bad }] }, { text: 'Sorry.' }] })

    const reply = await provider.ask(aRequest(), never)
    const [call] = reply.calls
    assert.ok(call !== undefined)
    const next = await provider.ask(
      aRequest({ entries: [user('Go.'), assistant('', reply.calls), tool(call, 'The arguments are no JSON.', 'error')] }),
      never,
    )

    assert.equal(call.input, wire === 'google' ? 'not an object' : bad)
    assert.equal(next.text, 'Sorry.')
    assert.match(JSON.stringify(server.requests[1]?.body), /unreadable_input/)
  })
}
