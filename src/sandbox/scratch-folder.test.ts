import assert from 'node:assert/strict'
import { chownSync, existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from './scratch-folder.ts'
import { testWorkspace } from './test-workspace.ts'

const NOBODY = 65_534
/** No process has this number: it is above what the kernel gives out. */
const GONE = 4_194_305

test('[S31] what a killed process left is cleared away, and nothing of another process, of another account or behind a link', async (t) => {
  const parent = await testWorkspace(t)
  const [left, used, link] = [`scratch-${GONE}-a`, `scratch-${process.pid}-b`, `scratch-${GONE}-c`]
  for (const name of [left, used, 'kept']) await mkdir(join(parent, name))
  await symlink(join(parent, 'kept'), join(parent, link))
  const isRoot = process.getuid?.() === 0
  const theirs = isRoot ? `scratch-${GONE}-d` : 'theirs' // only root can make a folder of another account
  await mkdir(join(parent, theirs), { recursive: true })
  if (isRoot) chownSync(join(parent, theirs), NOBODY, NOBODY)

  const made = await scratchFolder(parent, 'scratch-')

  assert.ok(existsSync(made))
  assert.deepEqual(
    [left, used, link, 'kept', theirs].map((name) => existsSync(join(parent, name))),
    [false, true, true, true, true],
  )
})
