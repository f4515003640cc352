import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, readdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Problem } from '../domain/problem.ts'
import { type OpenFor, openInside } from './open-inside.ts'
import { testWorkspace } from './test-workspace.ts'

test('[S20] a file is read or created, and creating never replaces one', async (t) => {
  const root = await testWorkspace(t, { 'a.txt': 'text' })

  const read = await openInside(root, 'a.txt', 'read')
  const created = await openInside(root, 'new.txt', 'create')
  await created.file.writeFile('new')
  await Promise.all([read.file.close(), created.file.close()])
  const codes = await Promise.all([codeOf(root, 'a.txt', 'create'), codeOf(root, 'none.txt', 'read'), codeOf(root, '.', 'read')])

  assert.equal(await readFile(join(root, 'new.txt'), 'utf8'), 'new')
  assert.deepEqual(codes, ['conflict', 'not_found', 'bad_input'])
})

test('[S20] a named pipe is refused at once instead of being waited for', async (t) => {
  const root = await testWorkspace(t)
  execFileSync('mkfifo', [join(root, 'pipe')])

  const code = await codeOf(root, 'pipe', 'read')

  assert.equal(code, 'bad_input')
})

test('[S20] however often a folder is swapped for a link while files are opened, nothing outside is read or made', async (t) => {
  const folder = await testWorkspace(t, { 'outside/a.txt': 'secret', 'root/dir/a.txt': 'mine' })
  const root = join(folder, 'root')
  const swapping = new AbortController()
  const swaps = (async () => {
    while (!swapping.signal.aborted) {
      await rename(join(root, 'dir'), join(root, 'away'))
      await symlink(join(folder, 'outside'), join(root, 'dir'))
      await rm(join(root, 'dir'))
      await rename(join(root, 'away'), join(root, 'dir'))
    }
  })()

  const texts = new Set<string>()
  for (let at = 0; at < 1500; at++) {
    const [read, made] = await Promise.allSettled([openInside(root, 'dir/a.txt', 'read'), openInside(root, `dir/new-${at}`, 'create')])
    if (made.status === 'fulfilled') await made.value.file.close()
    if (read.status === 'rejected') continue
    texts.add(await read.value.file.readFile('utf8'))
    await read.value.file.close()
  }
  swapping.abort()
  await swaps

  assert.ok(!texts.has('secret'))
  assert.deepEqual(await readdir(join(folder, 'outside')), ['a.txt'])
})

async function codeOf(root: string, path: string, how: OpenFor): Promise<unknown> {
  return openInside(root, path, how).catch((error: unknown) => (error instanceof Problem ? error.code : error))
}
