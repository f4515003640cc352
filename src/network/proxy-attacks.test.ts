import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { networkPolicy } from '../domain/network/policy.ts'
import { createProxy } from './proxy.ts'
import type { Outside } from './reach.ts'
import { testListener, testOutside } from './test-outside.ts'
import { closed, open, type ProxyStage, proxyStage, PUBLIC, socks, tunnel } from './test-proxy.ts'

test('[N21] a body without its frame, or a header that a connection is told to forget, never becomes a second request', async (t) => {
  const { stage, heard } = await rawStage(t, (socket) =>
    socket.once('data', () => setTimeout(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), 30)),
  )
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: inner.example\r\n\r\n'
  const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`
  const shapes = [
    `GET http://example.org/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n`,
    `DELETE http://example.org/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n`,
    `OPTIONS http://example.org/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: Transfer-Encoding\r\n`,
  ].map((head) => [head, chunk] as const)
  const lengths = ['GET', 'DELETE', 'POST'].map(
    (method) =>
      [`${method} http://example.org/ HTTP/1.1\r\nContent-Length: ${hidden.length}\r\nConnection: Content-Length\r\n`, hidden] as const,
  )
  const both = [`POST http://example.org/ HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n`, chunk] as const

  for (const [head, body] of [...shapes, ...lengths, both])
    await said(stage, `${head}Host: example.org\r\n${authorization(stage)}\r\n${body}`)

  assert.deepEqual(
    heard.filter((text) => !isOneRequest(text)),
    [],
  )
})

test('[N21] each of several requests on one connection goes where its own address says, whatever its Host', async (t) => {
  const stage = await proxyStage(t, ['example.org'])
  const line = (url: string, host: string) => `GET ${url} HTTP/1.1\r\nHost: ${host}\r\n${authorization(stage)}\r\n`
  const text = [
    line('http://example.org/1', 'other.net'),
    line('http://EXAMPLE.org.:80/3', 'x'),
    line('http://other.net/2', 'example.org'),
  ].join('')

  const answer = await said(stage, text)

  assert.deepEqual(answer.match(/GET \/\d .*?(?=HTTP|$)/g), ['GET /1 example.org', 'GET /3 example.org'])
  assert.match(answer, /403 Forbidden/)
  assert.deepEqual([...new Set(stage.outside.dialled)], [`${PUBLIC} 80`])
})

test('[N21] what a host answers that no server may say is an error to the program that asked, and to nobody else', async (t) => {
  const odd = [
    'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 O\u0001K\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\nX-A: \u0001\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'nothing like it\r\n\r\n',
    '',
  ]
  let at = 0
  const { stage } = await rawStage(t, (socket) => socket.once('data', () => socket.end(odd[at++] ?? '')))

  const answers: string[] = []
  for (const _ of odd)
    answers.push(await said(stage, `GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n${authorization(stage)}\r\n`))

  assert.deepEqual(
    answers.slice(0, 3).map((answer) => /^HTTP\/1.1 (\d+)/.exec(answer)?.[1]),
    ['502', '502', '502'],
  )
  assert.ok(answers.every((answer) => answer === '' || answer.startsWith('HTTP/1.1 ')))
})

test('[N21] a name without an address, and a port that is none, lead to nobody', async (t) => {
  const stage = await proxyStage(t, ['empty.example.org', 'example.org'], { names: { 'empty.example.org': [[]] } })

  const answer = await said(stage, `GET http://empty.example.org/ HTTP/1.1\r\nHost: a\r\n${authorization(stage)}\r\n`)
  const tunnelled = await tunnel(stage, 'empty.example.org:443')
  const noPort = await socks(stage, { host: 'example.org', port: 0 })

  assert.match(answer, /^HTTP\/1.1 502/)
  assert.deepEqual([tunnelled.status, noPort.code, stage.outside.dialled], [502, 2, []])
  assert.deepEqual(
    stage.session.refused().map(({ why }) => why),
    ['bad_host'],
  )
})

test('[N22] an address of this machine is refused in every form that leads to it', async (t) => {
  const own = ['93.184.216.50', '2606:4700::50']
  const names = {
    'a.example.org': '93.184.216.50',
    'b.example.org': '::ffff:93.184.216.50',
    'c.example.org': '64:ff9b::5db8:d832',
    'd.example.org': '2606:4700:0:0::50',
  }
  const outside = {
    ...testOutside(Object.fromEntries(Object.entries(names).map(([name, address]) => [name, [[address]]])), 1),
    own: () => own,
  }
  const stage = await stageOn(t, ['*.example.org', '93.184.216.50', '[::ffff:93.184.216.50]', '[2606:4700:0::50]'], outside)

  const targets = [...Object.keys(names), '93.184.216.50', '1572395058', '[::ffff:5db8:d832]', '[2606:4700::0050]']
  const statuses = await Promise.all(targets.map(async (host) => (await tunnel(stage, `${host}:443`)).status))

  assert.deepEqual([...new Set(statuses)], [403])
  assert.deepEqual(outside.dialled, [])
})

test('[N22] nobody is dialled for a command that ended while a name was looked up, on any way', async (t) => {
  const waiting: ((addresses: string[]) => void)[] = []
  const outside = { ...testOutside({}, 1), resolve: async () => new Promise<string[]>((resolve) => waiting.push(resolve)) }
  const stage = await stageOn(t, ['*.example.org'], outside)
  const ways = [
    tunnel(stage, 'a.example.org:443').catch(() => null),
    said(stage, `GET http://b.example.org/ HTTP/1.1\r\nHost: a\r\n${authorization(stage)}\r\n`),
    socks(stage, { host: 'c.example.org', port: 443 }).catch(() => null),
  ]
  while (waiting.length < 3) await new Promise(setImmediate)

  stage.session.end()
  for (const resolve of waiting) resolve([PUBLIC])
  await Promise.race([Promise.all(ways), new Promise((resolve) => setTimeout(resolve, 200))])

  assert.deepEqual(outside.dialled, [])
})

test('[N22] a command that opens connections and says nothing, or asks for names that nobody answers, keeps no other from its own', async (t) => {
  const outside = testOutside({ 'example.org': [[PUBLIC]] }, (await testListener(t, (socket) => socket.on('data', () => undefined))).port)
  const asked: string[] = []
  const slow: Outside = {
    ...outside,
    resolve: async (name) => (asked.push(name), name === 'example.org' ? [PUBLIC] : new Promise(() => undefined)),
  }
  const proxy = createProxy(slow)
  const [bad, good] = [await stageOn(t, ['*.slow.example'], slow, proxy), await stageOn(t, ['example.org'], slow, proxy)]
  const silent = await Promise.all(Array.from({ length: 600 }, async () => open(bad.port)))
  for (let at = 0; at < 60; at++) void tunnel(bad, `n${at}.slow.example:443`).catch(() => undefined)

  const { status } = await tunnel(good, 'example.org:443')
  for (const socket of silent) socket.destroy()

  assert.equal(status, 200)
  assert.ok(asked.filter((name) => name !== 'example.org').length <= 8, String(asked.length))
})

test('[N22] of ten thousand requests sent at once on one connection only some are carried, and the connection is cut', async (t) => {
  const far = await testListener(t, (socket) => socket.on('data', () => undefined))
  const outside = testOutside({ 'example.org': [[PUBLIC]] }, far.port)
  let asked = 0
  const stage = await stageOn(t, ['example.org'], { ...outside, resolve: async () => ((asked += 1), [PUBLIC]) })

  await said(stage, `GET http://example.org/ HTTP/1.1\r\nHost: a\r\n${authorization(stage)}\r\n`.repeat(10_000))

  assert.ok(asked <= 256, String(asked))
})

/** A proxy before something that answers every connection as a test says; `heard` is what came on each. */
async function rawStage(t: TestContext, answer: (socket: Socket) => void): Promise<{ stage: ProxyStage; heard: string[] }> {
  const heard: string[] = []
  const far = await testListener(t, (socket) => {
    const at = heard.push('') - 1
    socket.on('data', (chunk) => (heard[at] += chunk.toString('latin1')))
    answer(socket)
  })
  return { stage: await stageOn(t, ['example.org'], testOutside({ 'example.org': [[PUBLIC]] }, far.port)), heard }
}

async function stageOn(
  t: TestContext,
  network: string[],
  outside: ProxyStage['outside'] | Outside,
  proxy = createProxy(outside),
): Promise<ProxyStage> {
  const listener = await testListener(t, () => undefined)
  proxy.serve(listener.server)
  const session = proxy.open({ policy: networkPolicy(network), most: 'on' })
  t.after(async () => session.end())
  const token = new URL(session.variables(1)['HTTP_PROXY'] ?? '').password
  return { outside: { resolved: [], dialled: [], ...outside }, port: listener.port, session, token }
}

function authorization({ token }: ProxyStage): string {
  return `Proxy-Authorization: Basic ${Buffer.from(`troupe:${token}`).toString('base64')}\r\n`
}

/** Everything that comes back for some bytes, until the other end closes or nothing more comes. */
async function said({ port }: ProxyStage, text: string): Promise<string> {
  const socket = await open(port)
  let answer = ''
  let last = Date.now()
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
    last = Date.now()
  })
  socket.write(text)
  await Promise.race([closed(socket), once(socket, 'end').catch(() => undefined), quiet(() => Date.now() - last > 500)])
  socket.destroy()
  return answer
}

async function quiet(isQuiet: () => boolean): Promise<void> {
  while (!isQuiet()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Whether a server that counts as the protocol says finds exactly one request in what came on a connection. */
function isOneRequest(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const [head, body] = [text.slice(0, end).toLowerCase(), text.slice(end + 4)]
  if (/\r\ntransfer-encoding: chunked/.test(head)) return /\r\n0\r\n\r\n$|^0\r\n\r\n$/.test(body)
  return body.length === Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0)
}
