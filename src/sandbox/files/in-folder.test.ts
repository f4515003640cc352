import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { inFolder } from './in-folder.ts'
import { testWorkspace } from '../test-workspace.ts'

test('[S24] a folder that is swapped for a link while something is done in it stays the folder that is worked in', async (t) => {
  const root = await testWorkspace(t, { 'folder/kept': 'mine' })
  const elsewhere = await testWorkspace(t, { kept: 'theirs' })

  const listed = await inFolder(root, join(root, 'folder'), async (at) => {
    await rename(join(root, 'folder'), join(root, 'moved'))
    await symlink(elsewhere, join(root, 'folder'))
    await writeFile(at('new'), 'text')
    await mkdir(at('made'))
    await unlink(at('kept'))
    return readdir(at('.'))
  })

  assert.deepEqual(listed.toSorted(), ['made', 'new'])
  assert.deepEqual(await readdir(elsewhere), ['kept'])
  assert.equal(await readFile(join(elsewhere, 'kept'), 'utf8'), 'theirs')
})

test('[S24] a link on the way to a folder is refused, and no folder is made through it', async (t) => {
  const root = await testWorkspace(t)
  const elsewhere = await testWorkspace(t)
  await symlink(elsewhere, join(root, 'link'))

  await assert.rejects(inFolder(root, join(root, 'link/new'), work, true), { code: 'denied' })
  await assert.rejects(inFolder(root, join(root, 'link'), work), { code: 'denied' })
  await assert.rejects(inFolder(root, join(root, '..'), work), { code: 'denied' })
  await assert.rejects(inFolder(root, join(root, 'absent'), work), { code: 'not_found' })
  const made = await inFolder(root, join(root, 'a/b'), work, true)

  assert.equal(made, 'worked')
  assert.ok(existsSync(join(root, 'a/b')))
  assert.deepEqual(await readdir(elsewhere), [])
})

async function work(): Promise<string> {
  return 'worked'
}
