import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, writeFileSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { Problem } from '../../domain/problem.ts'
import { type OpenFor, openInside, readWhole } from './open-inside.ts'
import { testWorkspace } from '../test-workspace.ts'

test('[S20] a file is read or created, and creating never replaces one', async (t) => {
  const root = await testWorkspace(t, { 'a.txt': 'text' })

  const read = await openInside(root, 'a.txt', 'read')
  const created = await openInside(root, 'new.txt', 'create')
  writeFileSync(created.fd, 'new')
  const text = (await readWhole(read.fd)).toString()
  for (const { fd } of [read, created]) closeSync(fd)
  const codes = await Promise.all([codeOf(root, 'a.txt', 'create'), codeOf(root, 'none.txt', 'read'), codeOf(root, '.', 'read')])

  assert.deepEqual([text, await readFile(join(root, 'new.txt'), 'utf8')], ['text', 'new'])
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
  const swapping = new Worker(swapForEver, { eval: true, workerData: { root, outside: join(folder, 'outside') } })
  await once(swapping, 'message')

  const texts = new Set<string>()
  for (let at = 0; at < 1500 || texts.size === 0; at++) {
    const [read, made] = await Promise.allSettled([openInside(root, 'dir/a.txt', 'read'), openInside(root, `dir/new-${at}`, 'create')])
    if (made.status === 'fulfilled') closeSync(made.value.fd)
    if (read.status === 'rejected') continue
    texts.add((await readWhole(read.value.fd)).toString())
    closeSync(read.value.fd)
  }
  await swapping.terminate()

  assert.deepEqual([...texts], ['mine'])
  assert.deepEqual(await readdir(join(folder, 'outside')), ['a.txt'])
})

/** In a thread of its own: in ours it would never come between the check and the opening. */
const swapForEver = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
  const { parentPort, workerData: { root, outside } } = require('node:worker_threads')
  parentPort.postMessage('begins')
  for (;;) {
    renameSync(root + '/dir', root + '/away')
    symlinkSync(outside, root + '/dir')
    unlinkSync(root + '/dir')
    renameSync(root + '/away', root + '/dir')
  }
`

async function codeOf(root: string, path: string, how: OpenFor): Promise<unknown> {
  return openInside(root, path, how).catch((error: unknown) => (error instanceof Problem ? error.code : error))
}
