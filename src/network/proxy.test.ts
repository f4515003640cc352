import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { networkPolicy, type NetworkSetting } from '../domain/network/policy.ts'
import { until } from '../sandbox/test-until.ts'
import { createProxy, type ProxySession } from './proxy.ts'
import { testListener, testOutside, type TestOutside } from './test-outside.ts'

const PUBLIC = '93.184.216.34'

interface Stage {
  outside: TestOutside
  port: number
  session: ProxySession
  token: string
}

/** A proxy before an internet of the test's; what answers there says what it was asked. */
async function setStage(
  t: TestContext,
  network: NetworkSetting,
  { names = {}, most = true, unknownMs = 15_000 }: { names?: Record<string, string[][]>; most?: NetworkSetting; unknownMs?: number } = {},
): Promise<Stage> {
  const web = createServer((message, response) => {
    response.setHeader('X-Seen', JSON.stringify(message.headers))
    response.end(`${message.method} ${message.url} ${message.headers.host}`)
  })
  const far = await testListener(t, (socket) => web.emit('connection', socket))
  const outside = testOutside({ 'example.org': [[PUBLIC]], 'a.example.org': [[PUBLIC]], 'other.net': [[PUBLIC]], ...names }, far.port)
  const proxy = createProxy(outside, unknownMs)
  const listener = await testListener(t, () => undefined)
  proxy.serve(listener.server)
  const session = proxy.open({ policy: networkPolicy(network), most: networkPolicy(most) })
  t.after(async () => session.end())
  const token = new URL(session.variables(1)['HTTP_PROXY'] ?? '').password
  return { outside, port: listener.port, session, token }
}

test('[N5] a tunnel leads to a host that is listed, at exactly the address its name had', async (t) => {
  const stage = await setStage(t, ['example.org', '*.example.org:443'])

  const opened = await tunnel(stage, 'EXAMPLE.org.:443')
  const said = await speak(opened.socket)

  assert.equal(opened.status, 200)
  assert.match(said, /GET \/inside inner/)
  assert.deepEqual([stage.outside.resolved, stage.outside.dialled, stage.session.refused()], [['example.org'], [`${PUBLIC} 443`], []])
})

test('[N5] a plain request is passed on to a host that is listed, without what is between it and the proxy', async (t) => {
  const stage = await setStage(t, ['example.org'])

  const response = await plain(stage, 'http://example.org/a?b=1', { 'X-Own': 'kept', Connection: 'X-Hop', 'X-Hop': 'dropped' })

  assert.deepEqual([response.status, response.text], [200, 'GET /a?b=1 example.org'])
  assert.deepEqual(Object.keys(response.seen).filter((name) => /^x-|proxy/.test(name)), ['x-own'])
  assert.deepEqual(stage.outside.dialled, [`${PUBLIC} 80`])
})

test('[N5] a SOCKS client reaches a host that is listed, by name and by address', async (t) => {
  const stage = await setStage(t, ['example.org', '8.8.8.8'])

  const named = await socks(stage, { host: 'example.org', port: 443 })
  const said = await speak(named.socket)
  const byAddress = await socks(stage, { host: '8.8.8.8', port: 443 })

  assert.match(said, /GET \/inside inner/)
  assert.deepEqual([named.code, byAddress.code], [0, 0])
  assert.deepEqual(stage.outside.dialled, [`${PUBLIC} 443`, '8.8.8.8 443'])
})

test('[N6] whoever is not listed is refused by name on every way, and nobody is dialled', async (t) => {
  const stage = await setStage(t, ['example.org:443'], { most: ['example.org', 'other.net'] })

  const answers = [
    (await tunnel(stage, 'other.net:443')).status,
    (await tunnel(stage, 'example.org:80')).status,
    (await tunnel(stage, 'else.example:443')).status,
    (await plain(stage, 'http://other.net/')).status,
    (await socks(stage, { host: 'other.net', port: 22 })).code,
  ]

  assert.deepEqual(answers, [403, 403, 403, 403, 2])
  assert.deepEqual(stage.outside.dialled, [])
  assert.deepEqual(stage.session.refused(), [
    { host: 'other.net', port: 443, why: 'not_listed' },
    { host: 'example.org', port: 80, why: 'not_listed' },
    { host: 'else.example', port: 443, why: 'role' },
    { host: 'other.net', port: 80, why: 'not_listed' },
    { host: 'other.net', port: 22, why: 'role' },
  ])
})

test('[N6] a refusal names the host to the program that asked', async (t) => {
  const stage = await setStage(t, [])

  const refused = await plain(stage, 'http://example.org/secret')

  assert.match(refused.text, /example\.org:80/)
  assert.match(refused.headers['x-troupe-refused'] as string, /example\.org:80/)
})

test('[N4, N6] a listed name that leads to this machine, to its networks or to a cloud is refused, however its address is written', async (t) => {
  const addresses = ['127.0.0.1', '10.0.0.1', '192.168.1.1', '169.254.169.254', '100.100.100.200', '::1', '::ffff:127.0.0.1', 'fe80::1%eth0', 'fd00:ec2::254', '64:ff9b::7f00:1']
  const names = Object.fromEntries(addresses.map((address, at) => [`n${at}.example.org`, [[address]]]))
  const mixed = { 'mixed.example.org': [[PUBLIC, '127.0.0.1']] }
  const stage = await setStage(t, ['*.example.org'], { names: { ...names, ...mixed } })

  const statuses = await Promise.all(
    [...Object.keys(names), ...Object.keys(mixed)].map(async (name) => (await tunnel(stage, `${name}:443`)).status),
  )

  assert.deepEqual([...new Set(statuses)], [403])
  assert.deepEqual(stage.outside.dialled, [])
  assert.ok(stage.session.refused().every(({ why }) => why === 'address'))
})

test('[N4] a name that answers otherwise the second time gains nothing: each connection is to an address that was checked for it', async (t) => {
  const stage = await setStage(t, ['example.org'], { names: { 'example.org': [[PUBLIC], ['127.0.0.1']] } })

  const first = await tunnel(stage, 'example.org:443')
  const second = await tunnel(stage, 'example.org:443')

  assert.deepEqual([first.status, second.status], [200, 403])
  assert.deepEqual(stage.outside.dialled, [`${PUBLIC} 443`])
})

test('[N6] addresses in every spelling are compared as the address they are', async (t) => {
  const stage = await setStage(t, ['example.org'])
  const local = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '0']
  const wrong = ['', ':443', 'example.org:', 'example.org:0', 'example.org:99999', 'example.org:443:1', '[fe80::1%25eth0]:443', 'a b:443', 'u@example.org:443']

  const refused = await Promise.all(local.map(async (host) => (await tunnel(stage, `${host}:443`)).status))
  const odd = await Promise.all(wrong.map(async (target) => (await tunnel(stage, target)).status))

  assert.deepEqual([...new Set(refused)], [403])
  assert.ok(odd.every((status) => status === 400 || status === 0), odd.join())
  assert.deepEqual(stage.outside.dialled, [])
})

test('[N7] without its token nobody is served, on any way, and none is served once the command has ended', async (t) => {
  const stage = await setStage(t, ['example.org'])
  const strangers = ['', 'x', stage.token.slice(1), `${stage.token}x`, stage.token.toLowerCase()]

  const statuses = await Promise.all(
    strangers.map(async (token) => [
      (await tunnel({ ...stage, token }, 'example.org:443')).status,
      (await plain({ ...stage, token }, 'http://example.org/')).status,
      (await socks({ ...stage, token }, { host: 'example.org', port: 443 })).code,
    ]),
  )
  stage.session.end()
  const after = (await tunnel(stage, 'example.org:443')).status

  assert.deepEqual([...new Set(statuses.map(String))], ['407,407,-1'])
  assert.equal(after, 407)
  assert.deepEqual(stage.outside.dialled, [])
})

test('[N7] the end of a command cuts what it left open', async (t) => {
  const stage = await setStage(t, ['example.org'])
  const { socket } = await tunnel(stage, 'example.org:443')

  stage.session.end()

  await closed(socket)
  assert.ok(socket.destroyed)
})

test('[N8] who says nothing, or never ends their header, is cut off; too long a header as well', async (t) => {
  const stage = await setStage(t, ['example.org'], { unknownMs: 200 })
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
  let before = -1
  await until(() => {
    const isStill = before === sent.bytes
    before = sent.bytes
    return isStill
  })

  assert.ok(sent.bytes < 64 * 1024 * 1024, String(sent.bytes))
})

test('[N8] of a thousand connections at once some are turned away and the rest served; then there is room again', async (t) => {
  const stage = await setStage(t, ['example.org'])

  const opened = await Promise.all(Array.from({ length: 1000 }, () => tunnel(stage, 'example.org:443')))
  const statuses = opened.map(({ status }) => status)
  for (const { socket } of opened) socket.destroy()
  const again = await untilStatus(stage, 200)

  assert.ok(statuses.includes(200))
  assert.ok(statuses.every((status) => [200, 503, 0].includes(status)))
  assert.ok(statuses.filter((status) => status === 200).length <= 512)
  assert.equal(again, 200)
})

test('[N5] a host that is listed and not there is another answer than a refusal, and no refusal is noted', async (t) => {
  const stage = await setStage(t, ['gone.example'])

  const opened = await tunnel(stage, 'gone.example:443')

  assert.equal(opened.status, 502)
  assert.deepEqual(stage.session.refused(), [])
})

async function untilStatus(stage: Stage, wanted: number): Promise<number> {
  for (;;) {
    const { status, socket } = await tunnel(stage, 'example.org:443')
    socket.destroy()
    if (status === wanted) return status
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function closed(socket: Socket): Promise<undefined> {
  if (!socket.destroyed) await new Promise<void>((resolve) => void socket.once('close', () => resolve()))
}

/** Asks for a tunnel; status 0 where the connection was cut without a word. */
async function tunnel({ port, token }: Pick<Stage, 'port' | 'token'> & Partial<Stage>, target: string): Promise<{ status: number; socket: Socket }> {
  const socket = await open(port)
  const authorization = Buffer.from(`troupe:${token}`).toString('base64')
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${authorization}\r\n\r\n`)
  const first = await Promise.race([once(socket, 'data').catch(() => []), closed(socket)])
  const status = first !== undefined && Buffer.isBuffer(first[0]) ? Number(/^HTTP\/1.1 (\d+)/.exec(first[0].toString())?.[1] ?? 0) : 0
  return { status, socket }
}

async function speak(socket: Socket): Promise<string> {
  socket.write('GET /inside HTTP/1.1\r\nHost: inner\r\nConnection: close\r\n\r\n')
  return text(socket)
}

async function plain(
  { port, token }: Pick<Stage, 'port' | 'token'>,
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: IncomingMessage['headers']; seen: Record<string, string> }> {
  const authorization = `Basic ${Buffer.from(`troupe:${token}`).toString('base64')}`
  const sent = request({ host: '127.0.0.1', port, path: url, headers: { Host: new URL(url).host, 'Proxy-Authorization': authorization, ...headers } })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage] // the event carries it
  const seen = JSON.parse((response.headers['x-seen'] as string | undefined) ?? '{}') as Record<string, string> // set by the test's own server
  return { status: response.statusCode ?? 0, text: await text(response), headers: response.headers, seen }
}

/** Asks a SOCKS proxy to connect; -1 where it does not let us in. */
async function socks({ port, token }: Pick<Stage, 'port' | 'token'>, to: { host: string; port: number }): Promise<{ code: number; socket: Socket }> {
  const socket = await open(port)
  const next = async () => ((await once(socket, 'data')) as [Buffer])[0] // a stream without an encoding
  socket.write(Buffer.from([5, 2, 0, 2]))
  await next()
  socket.write(Buffer.from([1, 6, ...Buffer.from('troupe'), token.length, ...Buffer.from(token)]))
  if ((await next())[1] !== 0) return { code: -1, socket }
  const byAddress = /^[\d.]+$/.test(to.host)
  const host = byAddress ? [1, ...to.host.split('.').map(Number)] : [3, to.host.length, ...Buffer.from(to.host)]
  socket.write(Buffer.from([5, 1, 0, ...host, to.port >> 8, to.port & 0xff]))
  return { code: (await next())[1] ?? -1, socket }
}

