import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { resolveInside } from './files/path.ts'
import { runCommand } from './run-command.ts'
import { hideJob, hideStore } from './files/store-paths.ts'
import { actorsHere, kindsHere } from './test-actor.ts'
import { setVariables } from './test-surroundings.ts'
import { noVisiblePlace, testWorkspace, visiblePlace } from './test-workspace.ts'

for (const kind of await kindsHere()) {
  /** What a script prints that may change its workspace. */
  const printed = async (root: string, script: string, ...args: string[]) =>
    (await runCommand({ argv: ['sh', '-c', script, 'sh', ...args], root, access: 'change' }, { kind })).stdout

  test(`[S25] in ${kind} a command cannot move Troupe’s records inside the workspace to where the next one would see them`, async (t) => {
    const root = await testWorkspace(t, { 'deep/down/store/token': 'secret' })
    setVariables(t, { TROUPE_HOME: join(root, 'deep/down/store') })

    await printed(root, 'mv deep shallow; mv deep/down up; mv deep/down/store out; rm -rf deep')
    const seen = await printed(root, 'find . -name token -exec cat {} +; echo more > deep/new && cat deep/new')

    assert.equal(seen, 'more\n')
  })

  test(`[S25] in ${kind} a command cannot put a journal beside a store in its workspace, for SQLite to carry out`, async (t) => {
    const root = await testWorkspace(t, { 'kept/troupe.db': 'records' })
    hideStore(`sqlite:${join(root, 'kept/troupe.db')}`)

    const seen = await printed(root, 'echo forged > kept/troupe.db-journal; echo forged > kept/troupe.db-wal; cat kept/*')

    const companions = ['', '-journal', '-wal'].map((name) => readFileSync(join(root, `kept/troupe.db${name}`), 'utf8'))
    assert.deepEqual([seen, ...companions], ['', 'records', '', ''])
  })

  test(`[S28] in ${kind} a command reads what its project says to Troupe and cannot change, move or remove it`, async (t) => {
    const root = await testWorkspace(t, { '.troupe/config.yaml': 'limits: {}', '.troupe/roles/actor.md': 'a role' })

    const seen = await printed(root, 'cat .troupe/config.yaml; rm -rf .troupe; mv .troupe gone; echo > .troupe/roles/x.md; echo > own')

    const left = [readdirSync(root).toSorted(), readdirSync(join(root, '.troupe/roles'))]
    assert.deepEqual([seen, ...left], ['limits: {}', ['.troupe', 'own'], ['actor.md']])
  })

  test(`[S7, S28] in ${kind} a link in the place of .troupe, made by a command or brought by the project, shows no command what is hidden`, async (t) => {
    const place = await testWorkspace(t, { 'hidden/key': 'secret', 'hidden/store/token': 'secret' })
    setVariables(t, { TROUPE_HOME: join(place, 'hidden/store') })

    for (const target of [join(place, 'hidden'), join(place, 'hidden/key'), join(place, 'hidden/store'), '/']) {
      const root = await testWorkspace(t, { own: 'own' })
      await printed(root, 'ln -s "$1" .troupe', target)
      const seen = await printed(root, 'cat own "$1"/hidden/key "$1"/hidden/store/token', place)
      assert.equal(seen, 'own', target)
    }
  })

  test(`[S7] in ${kind} a link that a command made in the place of a folder of the PATH, or beside one, shows no command what is hidden`, async (t) => {
    const [mine, other] = [await testWorkspace(t, { 'bin/tool': '' }), await testWorkspace(t)]
    const place = await testWorkspace(t, { 'kept/key': 'secret' })
    setVariables(t, { PATH: `${join(mine, 'node_modules/.bin')}:${join(mine, 'bin')}:${process.env.PATH}` })
    const see = (root: string) =>
      runCommand({ argv: ['sh', '-c', 'cat "$1"/kept/key "$2"/lib/key; echo ran', 'sh', place, mine], root, access: 'read' }, { kind })

    for (const target of [relative(mine, dirname(place)), relative(join(mine, 'x'), dirname(place)), join(place, 'kept')]) {
      const plant = 'rm -rf lib node_modules; mkdir node_modules; ln -s "$1" lib; ln -s "$1" node_modules/.bin'
      await printed(mine, plant, target)
      const seen = await Promise.all([mine, other].map(see))
      assert.deepEqual([target, ...seen.map(({ stdout }) => stdout)], [target, 'ran\n', 'ran\n'])
    }
  })

  test(`[S7] in ${kind} a store in a folder that is hidden as a whole keeps no command from running`, async (t) => {
    const [root, place] = [await testWorkspace(t), await testWorkspace(t, { 'kept/troupe.db': 'records' })]
    hideJob(join(place, 'kept'))
    hideStore(`sqlite:${join(place, 'kept/troupe.db')}`)

    const seen = await printed(root, 'cat "$1"/kept/*; echo ran', place)

    assert.equal(seen, 'ran\n')
  })

  test(
    `[S7] in ${kind} a store that was configured and the records around a job’s workspace are invisible`,
    { skip: noVisiblePlace },
    async (t) => {
      const place = await testWorkspace(
        t,
        { 'troupe.db': 'records', 'job/jobHistory.json': 'history', 'job/workspace/own.txt': 'own' },
        visiblePlace,
      )
      hideStore(`sqlite:${join(place, 'troupe.db')}`)
      hideJob(join(place, 'job'))
      const root = join(place, 'job/workspace')

      const seen = await printed(root, 'cat own.txt ../*.json ../../troupe.db')
      const [own, store] = await Promise.allSettled([
        resolveInside(root, 'own.txt', { use: 'read' }),
        resolveInside(place, 'job/jobHistory.json', { use: 'read' }),
      ])

      assert.deepEqual([seen, own.status, store.status], ['own', 'fulfilled', 'rejected'])
    },
  )

  for (const actor of actorsHere()) {
    test(`[S26] in ${kind} ${actor.name} reaches no socket of another program`, { skip: noVisiblePlace }, async (t) => {
      const [root, place] = [await testWorkspace(t), await testWorkspace(t, { kept: 'text' }, visiblePlace)]
      const socket = join(place, 'a socket')
      const server = createServer((connection) => connection.end('REACHED')).listen(socket)
      t.after(() => server.close())
      await once(server, 'listening')
      actor.own(place)
      chmodSync(socket, 0o777)
      const connect = `require('net').connect(process.argv[1]).on('data', (text) => console.log(String(text))).on('error', () => console.log('refused'))`
      const argv = ['sh', '-c', `cat "$1/kept"; "$2" -e "${connect}" "$1/a socket"`, 'sh', place, process.execPath] as const

      const [result] = await actor.run(kind, [{ argv: [...argv], root, access: 'read' }])

      assert.equal(result?.stdout, 'textrefused\n')
    })
  }
}
