import assert from 'node:assert/strict'
import { once } from 'node:events'
import { accessSync, chmodSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isInside } from './inside.ts'
import { runCommand } from './run-command.ts'
import { actorsHere, kindsHere } from './test-actor.ts'
import { testWorkspace } from './test-workspace.ts'

for (const kind of await kindsHere()) {
  test(`[S25] in ${kind} a command cannot move Troupe’s records inside the workspace to where the next one would see them`, async (t) => {
    const root = await testWorkspace(t, { 'deep/down/store/token': 'secret' })
    const before = process.env.TROUPE_HOME
    t.after(() => (before === undefined ? delete process.env.TROUPE_HOME : (process.env.TROUPE_HOME = before)))
    process.env.TROUPE_HOME = join(root, 'deep/down/store')
    const run = (script: string) => runCommand({ argv: ['sh', '-c', script], root, access: 'change' }, { kind })

    await run('mv deep shallow; mv deep/down up; mv deep/down/store out; rm -rf deep')
    const seen = await run('find . -name token -exec cat {} +; echo more > deep/new && cat deep/new')

    assert.equal(seen.stdout, 'more\n')
  })

  for (const actor of actorsHere()) {
    const folder = ['/var/lib', '/srv', '/opt', process.cwd()].find(isVisible)
    test(`[S26] in ${kind} ${actor.name} reaches no socket of another program`, { skip: folder === undefined }, async (t) => {
      const [root, place] = [await testWorkspace(t), await testWorkspace(t, { kept: 'text' }, folder)]
      const socket = join(place, 'a socket')
      const server = createServer((connection) => connection.end('REACHED')).listen(socket)
      t.after(() => server.close())
      await once(server, 'listening')
      chmodSync(socket, 0o777)
      const connect = `require('net').connect(process.argv[1]).on('data', (text) => console.log(String(text))).on('error', () => console.log('refused'))`
      const argv = ['sh', '-c', `cat "$1/kept"; "$2" -e "${connect}" "$1/a socket"`, 'sh', place, process.execPath] as const

      const [result] = await actor.run(kind, [{ argv: [...argv], root, access: 'read' }])

      assert.equal(result?.stdout, 'textrefused\n')
    })
  }
}

/** Whether a test can put something there that a command sees. */
function isVisible(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return !['/tmp', '/var/tmp', '/home', '/root', homedir()].some((hidden) => isInside(hidden, folder))
  } catch {
    return false
  }
}
