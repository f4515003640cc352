import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { networkPolicy } from '../domain/network/policy.ts'
import { createProxy } from '../network/proxy.ts'
import { testListener, testOutside } from '../network/test-outside.ts'
import { preparedSandboxes } from './prepared/prepared.ts'
import { runCommand } from './run-command.ts'
import type { Command, CommandResult, SandboxKind, WorkspaceAccess } from './sandbox.ts'
import { actorsHere, kindsHere } from './test-actor.ts'
import { listenHere } from './test-surroundings.ts'
import { testWorkspace } from './test-workspace.ts'

const PUBLIC = '93.184.216.34'

/** Asks for an address as a program does that knows a proxy, and prints what came of it. */
const FETCH = `
  const { connect } = require('node:net')
  const proxy = new URL(process.env.HTTPS_PROXY)
  const token = Buffer.from(proxy.username + ':' + proxy.password).toString('base64')
  const asks = process.argv.slice(1).map((target) => new Promise((done) => {
    const socket = connect(+proxy.port, proxy.hostname, () =>
      socket.write('CONNECT ' + target + ' HTTP/1.1\\r\\nHost: ' + target + '\\r\\nProxy-Authorization: Basic ' + token + '\\r\\n\\r\\n'))
    socket.once('data', (head) => { done(target + ' ' + String(head).split(' ')[1]); socket.destroy() }).once('error', (error) => done(target + ' ' + error.code))
  }))
  Promise.all(asks).then((said) => console.log(said.join('\\n')))
`

async function stageFor(t: TestContext) {
  const web = createServer((message, response) => response.end(`hello from ${message.headers.host}${message.url}`))
  const far = await testListener(t, (socket) => web.emit('connection', socket))
  const outside = testOutside({ 'example.org': [[PUBLIC]], 'inner.example.org': [['127.0.0.1']], 'other.net': [[PUBLIC]] }, far.port)
  const root = await testWorkspace(t)
  const run = (kind: SandboxKind, command: Partial<Command> & Pick<Command, 'argv'>): Promise<CommandResult> =>
    runCommand(
      { root, access: 'read', network: networkPolicy(['example.org', '*.example.org']), proxy: createProxy(outside), ...command },
      { kind },
    )
  return { outside, root, run }
}

for (const kind of await kindsHere()) {
  for (const access of ['read', 'throw_away', 'change'] satisfies WorkspaceAccess[]) {
    test(`[N5, N6] in ${kind} with access ${access} a command reaches whom a list names, through the proxy, and nobody else`, async (t) => {
      const { outside, run } = await stageFor(t)
      const targets = ['example.org:443', 'other.net:443', 'inner.example.org:443', '127.0.0.1:443']

      const { exit_code, stdout, refused } = await run(kind, { argv: [process.execPath, '-e', FETCH, ...targets], access })

      assert.equal(exit_code, 0)
      assert.deepEqual(stdout.trim().split('\n'), [
        'example.org:443 200',
        'other.net:443 403',
        'inner.example.org:443 403',
        '127.0.0.1:443 403',
      ])
      assert.deepEqual(outside.dialled, [`${PUBLIC} 443`])
      assert.deepEqual(refused?.map(({ host, why }) => `${host} ${why}`).toSorted(), [
        '127.0.0.1 not_listed',
        'inner.example.org address',
        'other.net not_listed',
      ])
    })
  }

  test(`[N9] in ${kind} programs that obey the usual variables need nothing else, and those that do not cannot connect`, async (t) => {
    const { run } = await stageFor(t)
    const canary = await listenHere(t, createServer())
    const plain = `fetch('http://example.org/a').then((r) => r.text()).then(console.log, (e) => console.log(e.cause?.code ?? e.message))`
    const direct = `require('node:net').connect(${canary}, process.argv[1]).on('connect', () => console.log('ESCAPED')).on('error', (e) => console.log(e.code))`
    const names = `require('node:dns').lookup('example.org', (e) => console.log(e ? 'no name' : 'ESCAPED'))`

    const answers = [
      await run(kind, { argv: [process.execPath, '-e', plain] }),
      await run(kind, { argv: [process.execPath, '-e', direct, '127.0.0.1'] }),
      await run(kind, { argv: [process.execPath, '-e', direct, '1.1.1.1'] }),
      await run(kind, { argv: [process.execPath, '-e', names] }),
    ]

    assert.deepEqual(
      answers.map(({ stdout }) => stdout.trim()),
      ['hello from example.org/a', 'ECONNREFUSED', 'ENETUNREACH', 'no name'],
    )
  })

  test(`[N7] in ${kind} a command cannot use the token of another, nor what the first left open to it`, async (t) => {
    const { run, outside } = await stageFor(t)
    const first = await run(kind, { argv: ['sh', '-c', 'echo $HTTPS_PROXY'] })
    const theirs = { HTTPS_PROXY: first.stdout.trim() }
    const stolen = `HTTPS_PROXY=${theirs.HTTPS_PROXY} exec "$0" "$@"`

    const second = await run(kind, { argv: ['sh', '-c', stolen, process.execPath, '-e', FETCH, 'example.org:443'] })

    assert.equal(second.stdout.trim(), 'example.org:443 407')
    assert.deepEqual(outside.dialled, [])
  })

  test(`[N5, N7] in ${kind} a sandbox that was built ahead answers its command alone, with the token of that command`, async (t) => {
    const { run, outside } = await stageFor(t)
    const prepared = preparedSandboxes({ kind })
    t.after(() => prepared.close())
    const asks = { argv: [process.execPath, '-e', FETCH, 'example.org:443', 'other.net:443'] as const, prepared }

    const results = [await run(kind, asks), await run(kind, asks), await run(kind, asks)]

    for (const { stdout } of results) assert.equal(stdout.trim(), 'example.org:443 200\nother.net:443 403')
    assert.ok(results.some((result) => result.prepared === 'used'))
    assert.equal(outside.dialled.length, 3)
  })

  test(`[N9] in ${kind} a server of the command's own is reached on its loopback, beside the proxy`, async (t) => {
    const { run } = await stageFor(t)
    const script = `
      const server = require('node:http').createServer((_, r) => r.end('own')).listen(0, '127.0.0.1', async () => {
        console.log(await (await fetch('http://127.0.0.1:' + server.address().port)).text())
        server.close()
      })`

    const { stdout } = await run(kind, { argv: [process.execPath, '-e', script] })

    assert.equal(stdout.trim(), 'own')
  })

  test(`[N9] in ${kind} nothing of the proxy is open to a command but its port`, async (t) => {
    const { run } = await stageFor(t)

    const { stdout } = await run(kind, { argv: ['sh', '-c', 'ls /proc/self/fd | tr "\\n" " "; env | grep -c NODE_CHANNEL; true'] })

    assert.equal(stdout.trim(), '0 1 2 3 0') // 3 is the folder that ls reads
  })

  for (const actor of actorsHere()) {
    test(`[N6, N9] in ${kind} ${actor.name} is refused by the process's own proxy too`, async (t) => {
      const root = await testWorkspace(t)
      actor.own(root)
      const command: Command = {
        argv: [process.execPath, '-e', FETCH, 'other.net:443', '[::ffff:127.0.0.1]:443'],
        root,
        access: 'change',
        network: [],
      }

      const [result] = await actor.run(kind, [command])

      assert.equal(result?.stdout.trim(), 'other.net:443 403\n[::ffff:127.0.0.1]:443 403')
      assert.deepEqual(
        result?.refused?.map(({ host }) => host),
        ['other.net', '[::ffff:7f00:1]'],
      )
    })
  }
}
