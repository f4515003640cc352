import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { readPage } from './page.ts'
import { serveForTest, TEST_TOKEN } from './test-server.ts'

test('[C30] only healthz and the page answer without a token', async (t) => {
  const server = await serveForTest(t, { page: await aPage(t) })

  const health = await server.ask('/healthz', { token: null })
  const page = await server.ask('/', { token: null })
  const guarded = await Promise.all(
    ['/api/chat/list', '/api/events', '/api/openapi.json', '/api/nothing', '/mcp'].map((path) => server.ask(path, { token: null })),
  )

  assert.deepEqual(JSON.parse(health.text), { ok: true, version: '1.2.3' })
  assert.equal(page.status, 200)
  assert.deepEqual(each(guarded, 'status'), [401, 401, 401, 401, 401])
})

test('[C30] a wrong token, a token in the address and a token in a cookie are refused', async (t) => {
  const server = await serveForTest(t)

  const answers = await Promise.all([
    server.ask('/api/chat/list', { token: 'wrong' }),
    server.ask(`/api/chat/list?token=${TEST_TOKEN}`, { token: null }),
    server.ask('/api/chat/list', { token: null, headers: { cookie: `token=${TEST_TOKEN}` } }),
    server.ask('/api/chat/list'),
  ])

  assert.deepEqual(each(answers, 'status'), [401, 401, 401, 200])
  assert.equal(JSON.parse(answers[0]?.text ?? '').error.code, 'unauthorized')
})

test('[C30] a server without a token that deserves the name is not opened', async (t) => {
  const opening = Promise.all(['', 'short'].map((token) => serveForTest(t, { token })))

  await assert.rejects(opening, /not opened without a token/)
})

test('[C31] a request under a foreign name is refused, with and without a token', async (t) => {
  const server = await serveForTest(t)
  const names = ['evil.example', `evil.example:${server.port}`, '127.0.0.1.evil.example', 'localhost.evil.example', '192.168.1.7']

  const foreign = await Promise.all(
    names.flatMap((host) => ['/healthz', '/api/chat/list'].map((path) => server.ask(path, { headers: { host } }))),
  )
  const own = await Promise.all(
    ['127.0.0.1:9', 'localhost', '[::1]:4747', 'LOCALHOST:1'].map((host) => server.ask('/healthz', { headers: { host } })),
  )

  assert.deepEqual(new Set(each(foreign, 'status')), new Set([403]))
  assert.deepEqual(each(own, 'status'), [200, 200, 200, 200])
})

test('[C31] a request that names no host is refused', async (t) => {
  const server = await serveForTest(t)
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
  socket.write('GET /healthz HTTP/1.0\r\n\r\n')

  const [answer] = await once(socket, 'data')

  assert.match(answer, /^HTTP\/1\.1 40[03] /)
})

test('[C31] a page of another origin is refused even with the token, and no answer invites one', async (t) => {
  const server = await serveForTest(t)
  const host = `127.0.0.1:${server.port}`
  const foreign = ['http://evil.example', 'http://127.0.0.1:1', 'null', `https://${host}.evil.example`, `http://user@${host}`, 'file://']

  const refused = await Promise.all(foreign.map((origin) => server.ask('/api/chat/list', { headers: { host, origin } })))
  const preflight = await server.ask('/api/chat/list', {
    method: 'OPTIONS',
    token: null,
    headers: { host, origin: 'http://evil.example', 'access-control-request-method': 'GET' },
  })
  const own = await server.ask('/api/chat/list', { headers: { host, origin: `http://${host}` } })

  assert.deepEqual(new Set(each(refused, 'status')), new Set([403]))
  assert.equal(own.status, 200)
  for (const answer of [...refused, preflight, own]) assert.equal(answer.headers['access-control-allow-origin'], undefined)
})

test('[C32] every answer, refusals included, carries the strict headers', async (t) => {
  const server = await serveForTest(t, { page: await aPage(t) })

  const answers = await Promise.all([
    server.ask('/'),
    server.ask('/healthz'),
    server.ask('/api/x', { token: null }),
    server.ask('/', { headers: { host: 'evil.example' } }),
  ])

  for (const { headers } of answers) {
    assert.match(String(headers['content-security-policy']), /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/)
    assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/)
    assert.deepEqual(
      [headers['x-content-type-options'], headers['referrer-policy'], headers['x-frame-options']],
      ['nosniff', 'no-referrer', 'DENY'],
    )
  }
})

test('[C33] a body over the limit is a typed 413, whether it says its length or not', async (t) => {
  const server = await serveForTest(t)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ workspace: 'x'.repeat(2_000) })

  const said = await server.ask('/api/chat/create', { method: 'POST', headers, body })
  const unsaid = await server.ask('/api/chat/create', { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' }, body })

  for (const { status, text } of [said, unsaid]) assert.deepEqual([status, JSON.parse(text).error.code], [413, 'too_large'])
})

test('[C33] a request whose head or body never ends is ended', async (t) => {
  const server = await serveForTest(t, { requestMs: 200 })
  const head = `POST /api/chat/create HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TEST_TOKEN}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n`
  const sockets = [head, `${head}\r\n{"workspace"`].map((sent) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined) // being cut off is what we wait for
    socket.write(sent)
    return socket.resume()
  })

  await Promise.all(sockets.map((socket) => once(socket, 'close')))

  assert.equal((await server.ask('/healthz')).status, 200)
})

test('[C34] no path leads out of the page', async (t) => {
  const page = await aPage(t)
  const server = await serveForTest(t, { page })
  const climbs = [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '//secret.txt',
    '/..\\secret.txt',
    '/%00secret.txt',
    '/link.txt',
  ]

  const answers = await Promise.all(climbs.map((path) => server.ask(path)))

  for (const { status, text } of answers) assert.ok([400, 404].includes(status) || text === '<p>page</p>', text)
  for (const { text } of answers) assert.ok(!text.includes('outside'))
})

test('[C35] every refusal has the one shape of a problem', async (t) => {
  const server = await serveForTest(t)
  server.services.context.at = async () => {
    throw new TypeError('something broke')
  }
  const headers = { 'content-type': 'application/json' }

  const answers = await Promise.all([
    server.ask('/api/nothing'),
    server.ask('/api/role/list'),
    server.ask('/api/chat/create', { method: 'POST', headers, body: '{"workspace":1}' }),
    server.ask('/api/chat/create', { method: 'POST', headers, body: '{"workspace"' }),
    server.ask('/api/chat/create', { method: 'POST', body: 'workspace=1' }),
  ])

  const errors = answers.map(({ text }) => JSON.parse(text).error)
  assert.deepEqual(each(answers, 'status'), [404, 500, 400, 400, 400])
  assert.deepEqual(each(errors, 'code'), ['not_found', 'internal', 'bad_input', 'bad_input', 'bad_input'])
  for (const error of errors) assert.deepEqual(Object.keys(error), ['code', 'message', 'retryable', 'details'])
  assert.equal(errors[2].details.issues[0].path, 'workspace')
})

/** A built page with a secret beside it, and a link to that secret inside. */
async function aPage(t: Cleanup) {
  const folder = await testFolder(t)
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'outside')
  await writeFile(join(folder, 'dist/index.html'), '<p>page</p>')
  await symlink(join(folder, 'secret.txt'), join(folder, 'dist/link.txt'))
  return readPage(join(folder, 'dist'))
}
