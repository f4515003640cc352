import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addTask } from './add.ts'
import { keepProjection, writeProjection } from './projection.ts'
import { ann, testBoard } from './test-board.ts'

test('[B54] a process that works on the board keeps the files up to date, and never over newer ones', async (t) => {
  const board = await testBoard(t)
  const file = join(board.repository.root, '.troupe/state.yaml')
  const text = () => readFile(file, 'utf8').catch(() => '')
  const stop = keepProjection(board)

  await addTask(board, ann, { description: 'Seen soon' })
  while (!(await text()).includes('Seen soon')) await sleep(20)
  await stop()
  const newer = '# A copy made by Troupe up to line 999999 of its log; changes here are not read back.\n'
  await writeFile(file, newer)
  await writeProjection(board)

  assert.equal(await text(), newer)
})
