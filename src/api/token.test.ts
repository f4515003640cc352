import assert from 'node:assert/strict'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { testFolder } from '../sandbox/test-folder.ts'
import { ownToken } from './token.ts'

test('[C39] the token is made once, kept, and readable by its owner only', async (t) => {
  const home = await aHome(t)

  const first = await ownToken(home)
  const second = await ownToken(home)

  assert.match(first, /^[\w-]{43}$/)
  assert.equal(second, first)
  assert.equal((await stat(join(home, 'token'))).mode & 0o777, 0o600)
})

test('[C39] a token others could have read, or that is none, is replaced', async (t) => {
  const home = await aHome(t)
  const first = await ownToken(home)
  await chmod(join(home, 'token'), 0o644)

  const second = await ownToken(home)
  await writeFile(join(home, 'token'), 'guess\n')
  const third = await ownToken(home)

  assert.equal(new Set([first, second, third]).size, 3)
  assert.equal((await stat(join(home, 'token'))).mode & 0o777, 0o600)
})

test('[C39] servers that start at once agree on one token and leave no drafts', async (t) => {
  const home = await aHome(t)

  const tokens = await Promise.all(Array.from({ length: 20 }, () => ownToken(home)))

  assert.equal(new Set(tokens).size, 1)
  assert.deepEqual(await readdir(home), ['token'])
})

async function aHome(t: TestContext): Promise<string> {
  const folder = await testFolder(t)
  return join(folder, 'home')
}
