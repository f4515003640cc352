import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import * as z from 'zod'
import { parsedJson } from '../domain/text/json-in-text.ts'
import { lineTransport } from './line-transport.ts'

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

test('[W32] messages are read one per line, however the bytes arrive', async () => {
  const { input, messages, start } = aWire()
  await start()
  const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', method: 'grüße' })}\r\n\n${JSON.stringify(ping(2))}\n{"id": `)

  for (const byte of bytes) input.write(Buffer.from([byte]))
  input.write('3, "jsonrpc": "2.0", "method": "ping"}\n')
  await drained(input)

  assert.deepEqual(messages, [{ jsonrpc: '2.0', method: 'grüße' }, ping(2), ping(3)])
})

// oxfmt-ignore
const misfits: readonly [string, { id: string | number | null; code: number } | null][] = [
  ['not json',                                                                       { id: null, code: -32700 }],
  ['{"jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": "str"}',          { id: 10, code: -32600 }],
  ['{"jsonrpc": "1.0", "id": "a", "method": "ping"}',                                { id: 'a', code: -32600 }],
  ['{"jsonrpc": "2.0", "id": 11, "method": "ping", "params": {"_meta": 5}}',         { id: 11, code: -32600 }],
  ['{"jsonrpc": "2.0", "id": {}, "method": "ping"}',                                 { id: null, code: -32600 }],
  ['[]',                                                                             { id: null, code: -32600 }],
  ['{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": "str"}',       null],
  ['{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "Parse"}}',  null],
  ['{"jsonrpc": "2.0", "id": 13, "result": "str"}',                                  null],
]

test('[W32] what is no message is answered with an error unless nobody waits for an answer, and the next request is taken', async () => {
  for (const [line, expected] of misfits) {
    const { input, output, messages, start } = aWire()
    await start()

    input.write(`${line}\n${JSON.stringify(ping(1))}\n`)
    await drained(input)

    const answered = Answer.nullable().parse(parsedJson(String(output.read() ?? 'null')))
    assert.deepEqual(answered && { id: answered.id, code: answered.error.code }, expected, line)
    assert.deepEqual(messages.at(-1), ping(1), line)
  }
})

const Answer = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  error: z.object({ code: z.number() }),
})

test('[W104] a line that is too long is answered with an error, and the next one is taken', async () => {
  const { input, output, messages, start } = aWire()
  await start()

  for (let at = 0; at < 9; at++) input.write('x'.repeat(1024 * 1024))
  input.write(`yyy\n${JSON.stringify(ping(7))}\n`)
  await drained(input)

  const answered = String(output.read()).trim().split('\n')
  assert.equal(answered.length, 1)
  assert.equal(Answer.parse(parsedJson(answered[0] ?? '')).error.code, -32600)
  assert.deepEqual(messages, [ping(7)])
})

test('[W104] what was asked before the input ends is answered before the connection closes', async () => {
  const { input, output, transport, messages, closed, start } = aWire()
  await start()
  const ended = once(input, 'end')
  input.end(`${JSON.stringify(ping(1))}\n${JSON.stringify(ping(2))}\n`)
  await ended

  for (const id of [2, 1]) await transport.send({ jsonrpc: '2.0', id, result: {} })
  assert.ok(await isSettled(closed))

  assert.deepEqual(messages, [ping(1), ping(2)])
  assert.equal(String(output.read()).trim().split('\n').length, 2)
})

test('[W104] a call that asks its client something after the client hung up is not sent, and does not keep the connection open', async () => {
  const { input, output, transport, closed, start } = aWire()
  await start()
  const ended = once(input, 'end')
  input.end(`${JSON.stringify(ping(1))}\n`)
  await ended

  await transport.send({ jsonrpc: '2.0', id: 99, method: 'elicitation/create', params: {} })
  assert.ok(await isSettled(closed))

  assert.equal(output.read(), null)
})

test('[W104] a call that waits for its client when the client hangs up does not keep the connection open', async () => {
  const { input, transport, messages, closed, start } = aWire()
  await start()
  input.write(`${JSON.stringify(ping(1))}\n`)
  await drained(input)

  await transport.send({ jsonrpc: '2.0', id: 99, method: 'elicitation/create', params: {} })
  const ended = once(input, 'end')
  input.end()
  await ended
  assert.ok(await isSettled(closed))

  assert.deepEqual(messages, [ping(1)])
})

test('[W104] a batch is answered as a whole, with an error for each part that is no message', async () => {
  const { input, output, transport, messages, start } = aWire()
  await start()

  input.write(`${JSON.stringify([ping(1), { id: 5 }, { jsonrpc: '2.0', method: 'notifications/x' }, ping(2)])}\n`)
  await drained(input)
  for (const id of [2, 1]) await transport.send({ jsonrpc: '2.0', id, result: {} })

  const answered = z.array(z.looseObject({ id: z.number() })).parse(parsedJson(String(output.read())))
  assert.equal(messages.length, 3)
  assert.deepEqual(new Set(answered.map(({ id }) => id)), new Set([1, 2, 5]))
})

test('[W32] a broken pipe and an end of input each close the connection once', async () => {
  const wires = [aWire(), aWire()]
  const [broken, ended] = wires
  for (const wire of wires) await wire.start()

  broken?.output.destroy(new Error('EPIPE'))
  ended?.input.end()
  await Promise.all(wires.map(({ closed }) => closed))

  assert.equal(broken?.errors[0]?.message, 'EPIPE')
  assert.deepEqual(ended?.errors, [])
  await assert.rejects(async () => ended?.transport.send({ jsonrpc: '2.0', method: 'late' }), /hung up/)
})

test('[W32] a client that does not read is waited for', async () => {
  const { output, transport, start } = aWire(16)
  await start()

  const sent = transport.send({ jsonrpc: '2.0', method: 'x'.repeat(100) })
  const first = await Promise.race([sent.then(() => 'sent'), new Promise((resolve) => setImmediate(resolve, 'waiting'))])
  output.resume()
  await sent

  assert.equal(first, 'waiting')
})

function aWire(highWaterMark = 64 * 1024) {
  const input = new PassThrough()
  const output = new PassThrough({ highWaterMark })
  const transport = lineTransport(input, output)
  const messages: unknown[] = []
  const errors: Error[] = []
  const closing = Promise.withResolvers<void>()
  Object.assign(transport, {
    onmessage: (message: unknown) => void messages.push(message),
    onerror: (error: Error) => void errors.push(error),
    onclose: () => closing.resolve(),
  })
  return { input, output, transport, messages, errors, closed: closing.promise, start: () => transport.start() }
}

/** Whether a promise has come to its end by now; one that a timer would settle later has not. */
function isSettled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))])
}

async function drained(input: PassThrough): Promise<void> {
  while (input.readableLength > 0 || input.writableLength > 0) await new Promise((resolve) => setImmediate(resolve))
}
