import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkPolicy } from '../domain/network/policy.ts'
import { createProxy } from './proxy.ts'
import { testListener, testOutside } from './test-outside.ts'
import { closed, open, type ProxyStage, proxyStage, PUBLIC, tunnel } from './test-proxy.ts'

test('[N8] who says nothing, or never ends their header, is cut off; too long a header as well', async (t) => {
  const stage = await proxyStage(t, ['example.org'], { unknownMs: 200 })
  const silent = await open(stage.port)
  const slow = await open(stage.port)
  slow.write('CONNECT example.org:443 HTTP/1.1\r\nX-A: ')
  const halfSocks = await open(stage.port)
  halfSocks.write(Buffer.from([5, 1]))
  const huge = await open(stage.port)
  huge.write(`GET http://example.org/ HTTP/1.1\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`)

  await Promise.all([silent, slow, halfSocks, huge].map(closed))

  assert.deepEqual(stage.outside.dialled, [])
})

test('[N8] a program that does not read gets no more than fits on the way', async (t) => {
  const sent = { bytes: 0 }
  const far = await testListener(t, (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) sent.bytes += 65_536
    }
    socket.on('drain', more)
    more()
  })
  const outside = testOutside({ 'example.org': [[PUBLIC]] }, far.port)
  const proxy = createProxy(outside)
  const listener = await testListener(t, () => undefined)
  proxy.serve(listener.server)
  const session = proxy.open({ policy: networkPolicy(['example.org']), most: 'on' })
  t.after(async () => session.end())
  const token = new URL(session.variables(1)['HTTP_PROXY'] ?? '').password
  const { socket } = await tunnel({ outside, port: listener.port, session, token }, 'example.org:443')

  socket.pause()
  for (let before = -1; before !== sent.bytes; await sleep(50)) before = sent.bytes

  assert.ok(sent.bytes < 64 * 1024 * 1024, String(sent.bytes))
})

test('[N8] of a thousand connections at once some are turned away and the rest served; then there is room again', async (t) => {
  const stage = await proxyStage(t, ['example.org'])

  const opened = await Promise.all(Array.from({ length: 1000 }, () => tunnel(stage, 'example.org:443')))
  const statuses = opened.map(({ status }) => status)
  for (const { socket } of opened) socket.destroy()
  const again = await untilStatus(stage, 200)

  assert.ok(statuses.includes(200))
  assert.ok(statuses.every((status) => [200, 503, 0].includes(status)))
  assert.ok(statuses.filter((status) => status === 200).length <= 512)
  assert.equal(again, 200)
})

async function untilStatus(stage: ProxyStage, wanted: number): Promise<number> {
  for (;;) {
    const { status, socket } = await tunnel(stage, 'example.org:443')
    socket.destroy()
    if (status === wanted) return status
  }
}
