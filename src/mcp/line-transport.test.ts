import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { lineTransport } from './line-transport.ts'

test('[W32] messages are read one per line, however the bytes arrive, and what is no message is passed over', async () => {
  const { input, messages, start } = aWire()
  await start()
  const bytes = Buffer.from(`stray print\n${JSON.stringify({ jsonrpc: '2.0', method: 'grüße' })}\r\n${JSON.stringify({ id: 2 })}\n{"id": `)

  for (const byte of bytes) input.write(Buffer.from([byte]))
  input.write('3}\n')
  await drained(input)

  assert.deepEqual(messages, [{ jsonrpc: '2.0', method: 'grüße' }, { id: 2 }, { id: 3 }])
})

test('[W32] a line without end, a broken pipe and an end of input each close the connection once', async () => {
  const wires = [aWire(), aWire(), aWire()]
  const [endless, broken, ended] = wires
  for (const wire of wires) await wire.start()

  for (let at = 0; at < 9; at++) endless?.input.write('x'.repeat(1024 * 1024))
  broken?.output.destroy(new Error('EPIPE'))
  ended?.input.end()
  await Promise.all(wires.map(({ closed }) => closed))

  assert.match(endless?.errors[0]?.message ?? '', /no message/)
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

async function drained(input: PassThrough): Promise<void> {
  while (input.readableLength > 0 || input.writableLength > 0) await new Promise((resolve) => setImmediate(resolve))
}
