import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Problem } from '../../domain/problem.ts'
import { copyWorkspace } from '../files/copy-workspace.ts'
import { scrubbedEnvironment } from './environment.ts'
import { runCommand } from '../run-command.ts'
import { runProcess } from './run-process.ts'
import { kindsHere } from '../test-actor.ts'
import { assertNone } from '../test-none.ts'
import { listenHere, setVariables } from '../test-surroundings.ts'
import { testWorkspace } from '../test-workspace.ts'
import { toolchainFolders } from '../toolchains.ts'

test('[S14] only what is on the list is passed on, a proxy only without its password, and PATH without relative folders', (t) => {
  const secrets = { OPENAI_API_KEY: 'sk', GITHUB_TOKEN: 'gh', LD_PRELOAD_TEST: '/x.so', HTTP_PROXY: 'http://u:p@h' }
  setVariables(t, { ...secrets, PATH: '.:/usr/bin::/bin:/usr/bin', LC_TIME: 'C', https_proxy: 'http://h' })

  const env = scrubbedEnvironment({ ADDED: 'yes' })

  assert.deepEqual([env.PATH, env.LC_TIME, env.https_proxy, env.ADDED], ['/usr/bin:/bin', 'C', 'http://h', 'yes'])
  assertNone(Object.keys(secrets), (name) => name in env)
})

test('[S7] a toolchain in a hidden folder is shown, and never the hidden folder itself or what lies beside', async (t) => {
  const home = await testWorkspace(t, { 'tool/bin/run': '', 'tool/lib/part': '', 'tool/etc/password': '', 'tool/bin/deep/x': '' })

  const shown = toolchainFolders({ PATH: `${home}/tool/bin:${home}/tool/bin/deep:${home}:/usr/bin:${home}/not-there` }, [home], '/srv')

  assert.deepEqual(shown.toSorted(), [`${home}/tool/bin`, `${home}/tool/lib`])
})

test('[S7] a folder of the PATH that is a link is shown where it leads to one of its name, as those of version managers do', async (t) => {
  const home = await testWorkspace(t, { 'versions/24/bin/node': '', '.ssh/key': '' })
  await symlink(join(home, 'versions/24'), join(home, 'current'))
  await symlink(join(home, '.ssh'), join(home, 'bin'))
  await symlink('.', join(home, 'lib'))

  const shown = toolchainFolders({ PATH: `${home}/current/bin:${home}/bin` }, [home], '/srv')

  assert.deepEqual(shown, [join(home, 'current/bin')])
})

test('[S4] where no layer can be laid a copy is made, one that is too large is refused, and none stays behind', async (t) => {
  const root = await testWorkspace(t, { 'a/b.txt': 'text' })
  await symlink('b.txt', join(root, 'a/link'))

  const copy = await copyWorkspace(root)
  const copied = await readdir(copy.path, { recursive: true })
  await writeFile(join(copy.path, 'a/b.txt'), 'changed')
  await copy.discard()
  const refused = await copyWorkspace(root, 10).catch((error: unknown) => error)

  assert.deepEqual(copied.toSorted(), ['a', 'a/b.txt', 'a/link'])
  assert.ok(refused instanceof Problem && refused.code === 'too_large')
  await assert.rejects(readdir(copy.path))
})

test('[S22] a helper that hangs ends with its timeout, and one that is not there is a Problem', async () => {
  const hung = await runProcess(['sh', '-c', 'trap "" TERM; sleep 600'], { env: {}, timeoutMs: 200 })
  const absent = await runProcess(['not-a-program'], { env: {} }).catch((error: unknown) => error)
  const stopped = await runProcess(['true'], { env: {}, signal: AbortSignal.abort() })

  assert.deepEqual([hung.ended, stopped.ended], ['timed_out', 'stopped'])
  assert.ok(absent instanceof Problem && absent.code === 'not_found')
})

for (const kind of await kindsHere()) {
  test(`[S9] with leave a command in ${kind} reaches the network`, async (t) => {
    const root = await testWorkspace(t)
    const server = createServer((_, response) => response.end('reached'))
    const port = await listenHere(t, server)
    const ask = `fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log)`

    const result = await runCommand(
      { argv: [process.execPath, '-e', ask], root, access: 'read', network: 'on', timeoutMs: 60_000 },
      { kind },
    )

    assert.deepEqual([result.stdout, result.stderr], ['reached\n', ''])
  })

  test(`[S7] a mount shows a command in ${kind} one folder of the home and nothing else of it`, async (t) => {
    const root = await testWorkspace(t)
    const home = await testWorkspace(t, { 'agent/settings': 'mine', '.ssh/id_rsa': 'secret', notes: 'private' })
    setVariables(t, { HOME: home })
    const mounts = [{ path: join(home, 'agent'), access: 'read' as const }]

    const script = 'ls -A ~; cat ~/agent/settings; echo x > ~/agent/new'
    const result = await runCommand({ argv: ['sh', '-c', script], root, access: 'read', mounts }, { kind })

    assert.equal(result.stdout, 'agent\nmine')
    assert.deepEqual(await readdir(join(home, 'agent')), ['settings'])
  })
}
