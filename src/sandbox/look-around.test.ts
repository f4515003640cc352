import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, constants, linkSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { git } from './git/git.ts'
import { proveUnchanged } from './prove-unchanged.ts'
import { removeFolder } from './files/remove-folder.ts'
import { freshActorsHere, kindsHere } from './test-actor.ts'
import { assertNone } from './test-none.ts'
import { noVisiblePlace, testWorkspace, visiblePlace } from './test-workspace.ts'
import { commandView } from './view.ts'

const onlyRoot = process.getuid?.() !== 0 && 'only root can do this'
const connect = `for (const path of process.argv.slice(1)) require('net').connect(path).on('data', (text) => console.log(path, String(text))).on('error', () => {})`

for (const kind of await kindsHere()) {
  for (const actor of freshActorsHere()) {
    test(
      `[S26] in ${kind} ${actor.name} reaches no socket under another name than it was made with, and no named pipe`,
      { skip: noVisiblePlace },
      async (t) => {
        const [root, place] = [await testWorkspace(t), await testWorkspace(t, { kept: 'text' }, visiblePlace)]
        const sockets = await renamedSockets(t, place)
        const pipe = join(place, 'pipe')
        execFileSync('mkfifo', ['-m', '666', pipe])
        const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK) // so that a writer does not wait for one
        t.after(() => closeSync(reader))
        const script = `cat "$1/kept"; echo >> "$1/pipe" && [ -p "$1/pipe" ] && echo WROTE; shift; node=$1; shift; exec "$node" -e "${connect}" "$@"`

        const [result] = await actor.run(kind, [
          { argv: ['sh', '-c', script, 'sh', place, process.execPath, ...sockets], root, access: 'read' },
        ])

        assert.equal(result?.stdout, 'text', result?.stderr)
      },
    )
  }

  test(`[S7] in ${kind} a command of root’s reads nothing that is closed to others`, { skip: onlyRoot || noVisiblePlace }, async (t) => {
    const [root, place] = [
      await testWorkspace(t),
      await testWorkspace(t, { key: 'secret', 'folder/key': 'secret', kept: 'text' }, visiblePlace),
    ]
    chmodSync(join(place, 'key'), 0o600)
    chmodSync(join(place, 'folder'), 0o700)
    const [actor] = freshActorsHere()

    const results = await actor?.run(kind, [
      { argv: ['sh', '-c', 'cat "$1/key" "$1/folder/key" "$1/kept"', 'sh', place], root, access: 'read' },
    ])

    assert.deepEqual(
      results?.map(({ stdout }) => stdout),
      ['text'],
    )
  })
}

test('[S4] where the workspace is copied for a command, nothing of the workspace itself is writable', async (t) => {
  const [root, copy] = [await testWorkspace(t), await testWorkspace(t)]
  await git(root, ['init', '-q'])

  const { mounts } = commandView({ argv: ['sh'], root, access: 'throw_away' }, { as: 'change', from: copy })

  assertNone(mounts, ({ as, from }) => as === 'change' && from === undefined)
})

test('[S21, S31] folders nested deeper than any path is long stop neither the proof nor the clearing away', async (t) => {
  const root = await testWorkspace(t, { kept: 'text' })
  const half = Array.from({ length: 12 }, () => 'd'.repeat(200)).join('/')
  for (const name of ['a', 'b']) mkdirSync(join(root, name, half), { recursive: true })
  renameSync(join(root, 'b'), join(root, 'a', half, 'b'))

  const prove = await proveUnchanged(root)
  writeFileSync(join(root, 'kept'), 'changed')
  const proof = await prove()
  await removeFolder(join(root, 'a'))

  assert.deepEqual([proof.unchanged, proof.changed, proof.complete], [false, ['kept'], false])
})

/** A socket that was moved, one with a second name, and one in a folder that was moved. */
async function renamedSockets(t: TestContext, place: string): Promise<string[]> {
  const listen = async (path: string) => {
    const server = createServer((connection) => connection.end('REACHED')).listen(path)
    t.after(() => server.close())
    await once(server, 'listening')
    chmodSync(path, 0o777)
  }
  mkdirSync(join(place, 'before'))
  await Promise.all(['moved', 'first', 'before/inside'].map((name) => listen(join(place, name))))
  renameSync(join(place, 'moved'), join(place, 'elsewhere'))
  linkSync(join(place, 'first'), join(place, 'second'))
  renameSync(join(place, 'before'), join(place, 'after'))
  return ['elsewhere', 'second', 'after/inside'].map((name) => join(place, name))
}
