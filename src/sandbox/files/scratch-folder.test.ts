import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync } from 'node:fs'
import { mkdir, symlink, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from './scratch-folder.ts'
import { kindsHere } from '../test-actor.ts'
import { testWorkspace } from '../test-workspace.ts'

const NOBODY = 65_534
/** No process has this number: it is above what the kernel gives out. */
const GONE = 4_194_305

test('[S31] what a killed process left is cleared away, and nothing of another process, of another account or behind a link', async (t) => {
  const parent = await testWorkspace(t)
  const used = basename(await scratchFolder(parent, 'scratch-'))
  const abandoned = used.replace(String(process.pid), String(GONE))
  const [left, link] = [`${abandoned}-a`, `${abandoned}-c`]
  for (const name of [left, 'kept']) await mkdir(join(parent, name))
  await symlink(join(parent, 'kept'), join(parent, link))
  const isRoot = process.getuid?.() === 0
  const theirs = isRoot ? `${abandoned}-d` : 'theirs' // only root can make a folder of another account
  await mkdir(join(parent, theirs), { recursive: true })
  if (isRoot) chownSync(join(parent, theirs), NOBODY, NOBODY)

  const made = await scratchFolder(parent, 'scratch-')

  assert.ok(existsSync(made))
  assert.deepEqual(
    [left, used, link, 'kept', theirs].map((name) => existsSync(join(parent, name))),
    [false, true, true, true, true],
  )
})

const noUnshare = !(await kindsHere()).includes('namespaces') && 'needs user namespaces'

test(
  '[S31] what a process in another container, whose number is unknown here, has in use is not cleared away until it is long out of use',
  { skip: noUnshare },
  async (t) => {
    const parent = await testWorkspace(t)
    const used = await scratchFolder(parent, 'scratch-')
    const forgotten = await scratchFolder(parent, 'scratch-')
    const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000)
    await utimes(forgotten, longAgo, longAgo)

    const script = `import('${join(import.meta.dirname, 'scratch-folder.ts')}').then((it) => it.scratchFolder(process.argv[1], 'scratch-'))`
    const container = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--mount-proc', '--']
    execFileSync('unshare', [...container, process.execPath, '-e', script, parent])

    assert.deepEqual([existsSync(used), existsSync(forgotten)], [true, false])
  },
)
