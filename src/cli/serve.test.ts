import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openAt } from '../api/listen.ts'
import { shellWord } from '../sandbox/process/shell-word.ts'
import { listenHere } from '../sandbox/test-surroundings.ts'
import { until } from '../sandbox/test-until.ts'
import { beginRepository } from '../worktrees/test-repository.ts'
import { anAccount, launcher } from './test-account.ts'
import { end, firstLine, serving } from './test-serving.ts'
import { noTerminal } from './test-terminal.ts'

test('[C41] serving says as JSON in one line where it is, and keeps its token in a file of its user', async (t) => {
  const account = await anAccount(t)

  const { url, token } = await serving(t, account)
  const health = await fetch(new URL('/healthz', url))
  const roles = await fetch(new URL('/api/role/list', url), { headers: { authorization: `Bearer ${token}` } })

  const file = join(account.home, '.local/share/troupe/token')
  assert.match(url.href, /^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)
  assert.equal(url.hash, `#token=${token}`)
  assert.equal((await readFile(file, 'utf8')).trim(), token)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual([health.status, roles.status], [200, 200])
})

test('[C41] the token is shown to whoever starts the server and kept out of the log of a service', { skip: noTerminal }, async (t) => {
  const account = await anAccount(t)
  const service = { ...account, env: { ...account.env, JOURNAL_STREAM: '8:12345' } }

  const piped = await firstLine(t, account, launcher, ['serve', '--port', '0'])
  const logged = await firstLine(t, service, launcher, ['serve', '--port', '0'])
  const shown = await firstLine(t, service, 'script', ['-qec', `${shellWord(launcher)} serve --port 0`, '/dev/null'])

  const file = join(account.home, '.local/share/troupe/token')
  const token = (await readFile(file, 'utf8')).trim()
  assert.match(piped.line, new RegExp(`^Troupe is at http://127\\.0\\.0\\.1:\\d+/#token=${token}$`))
  assert.match(logged.line, /^Troupe is at http:\/\/127\.0\.0\.1:\d+\/#token=TOKEN; the token is in /)
  assert.ok(logged.line.endsWith(file))
  assert.ok(shown.line.trimEnd().endsWith(`/#token=${token}`), shown.line)
})

test('[C41] a server that listens everywhere names addresses that can be opened, and its door lets them in', async (t) => {
  const account = await anAccount(t)
  const every = Object.values(networkInterfaces()).flatMap((of = []) => of.map(({ address }) => address))
  const hosts = ['0.0.0.0', '::'].filter((host) => host !== '::' || every.includes('::1'))

  for (const host of hosts) {
    const { line, child } = await firstLine(t, account, launcher, ['serve', '--host', host, '--port', '0'])
    const addresses = line.match(/http:\S+/g)?.map((address) => new URL(address)) ?? []
    const answers = await Promise.all(addresses.map(async (address) => (await fetch(new URL('/healthz', address))).status))
    await end(child)

    assert.match(line, /^Troupe is at http:\/\/(127\.0\.0\.1|\[::1\]):\d+\/#token=/)
    assert.deepEqual(new Set(answers), new Set([200]))
    for (const { hostname } of addresses) assert.ok(every.includes(hostname.replaceAll(/[[\]]/g, '')), hostname)
  }
})

test('[C41] of an address for all, those of the network are named that a browser takes', () => {
  const interfaces = {
    lo: [anAddress('127.0.0.1', 'IPv4', true)],
    eth0: [anAddress('192.0.2.7', 'IPv4'), anAddress('fd00::7', 'IPv6'), anAddress('fe80::7', 'IPv6')],
  }

  const opened = ['127.0.0.1', 'localhost', '0.0.0.0', '::'].map((host) => openAt(host, 1, interfaces))

  assert.deepEqual(opened, [
    ['http://127.0.0.1:1'],
    ['http://localhost:1'],
    ['http://127.0.0.1:1', 'http://192.0.2.7:1'],
    ['http://[::1]:1', 'http://192.0.2.7:1', 'http://[fd00::7]:1'],
  ])
})

test('[C41] a busy port gives the next free one, and that is said', async (t) => {
  const account = await anAccount(t)
  const busy = await listenHere(t, createServer())
  account.env['TROUPE_PORT'] = String(busy)

  const { url, said } = await serving(t, account, null)

  assert.ok(Number(url.port) > busy)
  await until(() => said().includes(`Port ${busy} is taken`))
})

test('[C37] SIGTERM ends the server with 0, also while a reader holds a stream open', async (t) => {
  const account = await anAccount(t)
  const { child, url, token } = await serving(t, account)
  const stream = await fetch(new URL('/api/events', url), { headers: { authorization: `Bearer ${token}` } })
  const ended = once(child, 'exit')

  child.kill('SIGTERM')

  assert.deepEqual(await ended, [0, null])
  await stream.body?.cancel().catch(() => undefined)
})

test('[C41] a port that is none and an address that is not ours are refused with what to do', async (t) => {
  const account = await anAccount(t)

  const port = await account.troupe('serve', '--port', 'many')
  const host = await account.troupe('serve', '--host', '203.0.113.7', '--port', '0')

  assert.match(port.stderr, /--port: port is "many"; expected a number/)
  assert.match(host.stderr, /cannot listen on 203\.0\.113\.7:0 .*choose another host or port/)
  assert.deepEqual([port.code, host.code], [42, 42])
})

test('[B54] a server keeps the files of the board of its folder up to date, also of one that is made on its page', async (t) => {
  const account = await anAccount(t)
  await beginRepository(account.project, { 'spec.md': '# Users' })
  const { child, ask } = await serving(t, account)

  const made = await ask('POST', '/api/board/init', { goal: 'List the users', spec_ref: 'spec.md', auto_approve: false })
  const text = () => readFile(join(account.project, '.troupe/state.yaml'), 'utf8').catch(() => '')
  await until(async () => (await text()).includes('description: List the users'))
  const ended = once(child, 'exit')
  child.kill('SIGTERM')

  assert.equal(made.error, undefined)
  assert.deepEqual(await ended, [0, null])
})

/** An address of a network card; the parts that count. */
function anAddress(address: string, family: 'IPv4' | 'IPv6', internal = false): NetworkInterfaceInfo {
  return { address, family, internal } as NetworkInterfaceInfo
}
