import assert from 'node:assert/strict'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../sandbox/test-folder.ts'
import { ownToken } from './token.ts'

test('[C39] the token is made once, kept, readable by its owner only, and replaced where others could have read it or it is none', async (t) => {
  const home = join(await testFolder(t), 'home')
  const mode = async () => (await stat(join(home, 'token'))).mode & 0o777

  const [first, kept, made] = [await ownToken(home), await ownToken(home), await mode()]
  await chmod(join(home, 'token'), 0o644)
  const second = await ownToken(home)
  await writeFile(join(home, 'token'), 'guess\n')
  const third = await ownToken(home)

  assert.match(first, /^[\w-]{43}$/)
  assert.deepEqual([kept, made, await mode()], [first, 0o600, 0o600])
  assert.equal(new Set([first, second, third]).size, 3)
})

test('[C39] servers that start at once agree on one token and leave no drafts', async (t) => {
  const home = join(await testFolder(t), 'home')

  const tokens = await Promise.all(Array.from({ length: 20 }, () => ownToken(home)))

  assert.equal(new Set(tokens).size, 1)
  assert.deepEqual(await readdir(home), ['token'])
})
