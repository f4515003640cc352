import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchHead } from './branch.ts'
import { readRef } from './read-ref.ts'
import { gitText } from './repository.ts'
import { commitFiles, makeTestRepository } from './test-repository.ts'

test('[T4] a branch is found where it stands, whether it lies alone, packed with others, both, or names another', async (t) => {
  const repository = await makeTestRepository(t)
  const { root, commonDir } = repository
  const first = await gitText(root, ['rev-parse', 'main'])
  for (const name of ['packed', 'moved', 'task/deep/er']) await gitText(root, ['branch', name])
  await gitText(root, ['pack-refs', '--all', '--prune'])
  const second = await commitFiles(root, { 'b.txt': 'two\n' }, 'Two')
  await gitText(root, ['update-ref', 'refs/heads/moved', second])
  await gitText(root, ['symbolic-ref', 'refs/heads/other', 'refs/heads/packed'])

  const read = ['main', 'packed', 'moved', 'task/deep/er', 'task', 'gone', 'other', '../heads/main'].map((name) =>
    readRef(commonDir, `refs/heads/${name}`),
  )

  assert.deepEqual(read, [second, first, second, first, null, null, undefined, undefined])
  assert.equal(await branchHead(repository, 'other'), first)
})
