import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, plain, proxyStage, PUBLIC, socks, speak, tunnel } from './test-proxy.ts'

test('[N5] a tunnel leads to a host that is listed, at exactly the address its name had', async (t) => {
  const stage = await proxyStage(t, ['example.org', '*.example.org:443'])

  const opened = await tunnel(stage, 'EXAMPLE.org.:443')
  const said = await speak(opened.socket)

  assert.equal(opened.status, 200)
  assert.match(said, /GET \/inside inner/)
  assert.deepEqual([stage.outside.resolved, stage.outside.dialled, stage.session.refused()], [['example.org'], [`${PUBLIC} 443`], []])
})

test('[N5] a plain request is passed on to a host that is listed, without what is between it and the proxy', async (t) => {
  const stage = await proxyStage(t, ['example.org'])

  const response = await plain(stage, 'http://example.org/a?b=1', { 'X-Own': 'kept', Connection: 'X-Hop', 'X-Hop': 'dropped' })

  assert.deepEqual([response.status, response.text], [200, 'GET /a?b=1 example.org'])
  assert.deepEqual(
    Object.keys(response.seen).filter((name) => /^x-|proxy/.test(name)),
    ['x-own'],
  )
  assert.deepEqual(stage.outside.dialled, [`${PUBLIC} 80`])
})

test('[N5] a SOCKS client reaches a host that is listed, by name and by address', async (t) => {
  const stage = await proxyStage(t, ['example.org', '8.8.8.8'])

  const named = await socks(stage, { host: 'example.org', port: 443 })
  const said = await speak(named.socket)
  const byAddress = await socks(stage, { host: '8.8.8.8', port: 443 })

  assert.match(said, /GET \/inside inner/)
  assert.deepEqual([named.code, byAddress.code], [0, 0])
  assert.deepEqual(stage.outside.dialled, [`${PUBLIC} 443`, '8.8.8.8 443'])
})

test('[N6] whoever is not listed is refused by name on every way, and nobody is dialled', async (t) => {
  const stage = await proxyStage(t, ['example.org:443'], { most: ['example.org', 'other.net'] })

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
  const stage = await proxyStage(t, [])

  const refused = await plain(stage, 'http://example.org/secret')

  assert.match(refused.text, /example\.org:80/)
  assert.match(refused.headers['x-troupe-refused'] as string, /example\.org:80/)
})

test('[N4, N6] a listed name that leads to this machine, to its networks or to a cloud is refused, however its address is written', async (t) => {
  const addresses = [
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '64:ff9b::7f00:1',
  ]
  const names = Object.fromEntries(addresses.map((address, at) => [`n${at}.example.org`, [[address]]]))
  const mixed = { 'mixed.example.org': [[PUBLIC, '127.0.0.1']] }
  const stage = await proxyStage(t, ['*.example.org'], { names: { ...names, ...mixed } })

  const statuses = await Promise.all(
    [...Object.keys(names), ...Object.keys(mixed)].map(async (name) => (await tunnel(stage, `${name}:443`)).status),
  )

  assert.deepEqual([...new Set(statuses)], [403])
  assert.deepEqual(stage.outside.dialled, [])
  assert.ok(stage.session.refused().every(({ why }) => why === 'address'))
})

test('[N4] a name that answers otherwise the second time gains nothing: each connection is to an address that was checked for it', async (t) => {
  const stage = await proxyStage(t, ['example.org'], { names: { 'example.org': [[PUBLIC], ['127.0.0.1']] } })

  const first = await tunnel(stage, 'example.org:443')
  const second = await tunnel(stage, 'example.org:443')

  assert.deepEqual([first.status, second.status], [200, 403])
  assert.deepEqual(stage.outside.dialled, [`${PUBLIC} 443`])
})

test('[N6] addresses in every spelling are compared as the address they are', async (t) => {
  const stage = await proxyStage(t, ['example.org'])
  const local = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '0']
  const wrong = [
    '',
    ':443',
    'example.org:',
    'example.org:0',
    'example.org:99999',
    'example.org:443:1',
    '[fe80::1%25eth0]:443',
    'a b:443',
    'u@example.org:443',
  ]

  const refused = await Promise.all(local.map(async (host) => (await tunnel(stage, `${host}:443`)).status))
  const odd = await Promise.all(wrong.map(async (target) => (await tunnel(stage, target)).status))

  assert.deepEqual([...new Set(refused)], [403])
  assert.ok(
    odd.every((status) => status === 400 || status === 0),
    odd.join(),
  )
  assert.deepEqual(stage.outside.dialled, [])
})

test('[N7] without its token nobody is served, on any way, and none is served once the command has ended', async (t) => {
  const stage = await proxyStage(t, ['example.org'])
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
  const stage = await proxyStage(t, ['example.org'])
  const { socket } = await tunnel(stage, 'example.org:443')

  stage.session.end()

  await closed(socket)
  assert.ok(socket.destroyed)
})

test('[N5] a host that is listed and not there is another answer than a refusal, and no refusal is noted', async (t) => {
  const stage = await proxyStage(t, ['gone.example'])

  const opened = await tunnel(stage, 'gone.example:443')

  assert.equal(opened.status, 502)
  assert.deepEqual(stage.session.refused(), [])
})
