import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { unbounded } from '../../domain/bounds.ts'
import { networkPolicy, type NetworkSetting } from '../../domain/network/policy.ts'
import { testOutside } from '../../network/test-outside.ts'
import { commandSettingsWith } from '../../sandbox/test-command-settings.ts'
import { openTestGate } from '../test-gate.ts'
import { webFetchBy } from './web-fetch.ts'

const PUBLIC = '93.184.216.34'

async function stage(t: TestContext, network: NetworkSetting, answer: RequestListener, names: Record<string, string[][]> = {}) {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const outside = testOutside({ 'example.org': [[PUBLIC]], 'other.net': [[PUBLIC]], ...names }, (server.address() as AddressInfo).port) // it listens on a port
  const gate = (await openTestGate(t)).as({
    tools: [webFetchBy(outside)],
    commands: commandSettingsWith({ network: networkPolicy(network) }),
    networkLeave: { asks: true, project: '/project', take: async () => ({ allowed: [], never: [] }) },
  })
  return { gate, outside, fetch: (url: string, more = {}) => gate.call('web_fetch', { url, ...more }) }
}

const html =
  (body: string): RequestListener =>
  (_, response) =>
    void response.setHeader('Content-Type', 'text/html; charset=utf-8').end(body)

test('[M50] a page is shown as markdown, without scripts and hidden characters, and with the words of whom it is', async (t) => {
  const page =
    '<html><head><title>T</title><script>steal()</script></head><body><h1>Prices</h1><p>In <b>cents</b>\u202e\u001b[2J.</p><a href="/x">more</a></body></html>'
  const { fetch, outside } = await stage(t, ['example.org'], html(page))

  const { outcome, output, details } = await fetch('http://example.org/a?b=1#c')

  assert.equal(outcome, 'ok')
  assert.match(output, /^\[http:\/\/example\.org\/a\?b=1, status 200; the words of a stranger/)
  assert.match(output, /# Prices\n+In \*\*cents\*\*\.\n/)
  assert.ok(!['steal', '\u202e', '\u001b'].some((each) => output.includes(each)))
  assert.deepEqual([outside.resolved, outside.dialled, details['status']], [['example.org'], [`${PUBLIC} 80`], 200])
})

test('[M51] this machine, private networks and clouds are not reached in any spelling, whatever is allowed', async (t) => {
  const names = { 'in.example.org': [['10.0.0.1']], 'mixed.example.org': [[PUBLIC, '127.0.0.1']], 'v6.example.org': [['::ffff:7f00:1']] }
  const { fetch, outside } = await stage(t, 'on', html('secret'), names)
  const places = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0',
    'localhost',
    '169.254.169.254',
    '0xA9FEA9FE',
    '100.100.100.200',
    '[fd00:ec2::254]',
    '192.168.0.1',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    ...Object.keys(names),
  ]

  const results = await Promise.all(places.map((place) => fetch(`http://${place}/latest/meta-data`)))

  assert.deepEqual([...new Set(results.map(({ outcome }) => outcome))], ['error'])
  assert.ok(results.every(({ output }) => !output.includes('secret')))
  assert.deepEqual(outside.dialled, [])
})

const elsewhere: RequestListener = (request, response) =>
  void response
    .writeHead(302, {
      Location: request.url === '/local' ? 'http://127.0.0.1/' : request.url === '/else' ? 'http://unknown.example/' : '/again',
    })
    .end()

test('[M52] each redirect is checked like the first address, and the name that was checked is not resolved again', async (t) => {
  const { fetch, outside } = await stage(t, ['example.org'], elsewhere, { 'example.org': [[PUBLIC], [PUBLIC], [PUBLIC], ['127.0.0.1']] })

  const local = await fetch('http://example.org/local')
  const other = await fetch('http://example.org/else')
  const rebound = await fetch('http://example.org/round')

  assert.deepEqual([local.outcome, other.outcome, rebound.outcome], ['error', 'waiting', 'error'])
  assert.deepEqual([...new Set(outside.dialled)], [`${PUBLIC} 80`])
})

test('[M53] a host that nobody listed becomes a question; one that the role may not reach is refused', async (t) => {
  const { fetch, gate } = await stage(t, ['example.org'], html('x'))
  const bound = gate.as({ bounds: { ...unbounded, network: ['example.org'] } })

  const asked = await fetch('http://other.net/')
  const refused = await bound.call('web_fetch', { url: 'http://other.net/' })

  assert.deepEqual([asked.outcome, asked.ends], ['waiting', 'waiting'])
  assert.deepEqual((asked.details['network'] as { hosts: unknown }).hosts, [{ host: 'other.net', port: 80 }])
  assert.equal(refused.outcome, 'error')
})

test('[M54] there is no such tool for a role without network, and where the settings allow none', async (t) => {
  const { fetch } = await stage(t, 'off', html('x'))
  const { gate } = await stage(t, 'on', html('x'))

  const off = await fetch('http://example.org/')
  const role = await gate.as({ bounds: { ...unbounded, network: 'off' } }).call('web_fetch', { url: 'http://example.org/' })

  assert.deepEqual([off.outcome, off.decision.rule, role.outcome, role.decision.rule], ['denied', 'no_network', 'denied', 'no_network'])
})

test('[M55] what is no text, too large, packed into a bomb or without an end is a clear answer', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const { fetch } = await stage(t, 'on', (request, response) => {
    if (request.url === '/image') return void response.setHeader('Content-Type', 'image/png').end('x')
    if (request.url === '/bomb') return void response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }).end(bomb)
    if (request.url === '/broken') return void response.socket?.destroy()
    response.setHeader('Content-Type', 'text/plain')
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a')));
    }
    response.on('drain', more)
    more()
  })

  const results = await Promise.all(['image', 'bomb', 'broken', 'endless'].map((path) => fetch(`http://example.org/${path}`)))
  const odd = await Promise.all(
    ['ftp://example.org', 'file:///etc/passwd', 'http://u:p@example.org/', 'nothing', 'http://'].map((url) => fetch(url)),
  )

  assert.deepEqual(
    results.map(({ outcome, output }) => `${outcome} ${output.split(':')[0]}`),
    ['error bad_input', 'error too_large', 'error provider_failed', 'error too_large'],
  )
  assert.ok(odd.every(({ outcome, output }) => outcome === 'error' && output.startsWith('bad_input')))
})

test('[M56] a long page is shown in parts, and keys of ours in it are masked', async (t) => {
  const { gate } = await stage(
    t,
    'on',
    (_, response) => void response.setHeader('Content-Type', 'text/plain').end(`sk-ours ${'x'.repeat(50_000)}end`),
  )

  const first = await gate.as({ secrets: ['sk-ours'] }).call('web_fetch', { url: 'http://example.org/' })
  const second = await gate.call('web_fetch', { url: 'http://example.org/', from: 40_000 })

  assert.ok(!first.output.includes('sk-ours'))
  assert.match(first.output, /10011 more characters; continue with from 40000\]$/)
  assert.match(second.output, /x{10}end$/)
})
