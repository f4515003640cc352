import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testBoard } from '../../src/board/test-board.ts'
import { anAccount } from '../../src/cli/test-account.ts'
import { openStore } from '../../src/store/open.ts'
import { testAddress } from '../../src/store/test-store.ts'

test('[B59] reviews that approve nearly everything are warned of by the figures, the report and the checkpoint', async (t) => {
  const account = await anAccount(t)
  const store = await testAddress(account.home)
  account.env['TROUPE_STORE'] = store
  const driver = await openStore(store)
  t.after(() => driver.close())
  const board = await testBoard(t, { open: async () => driver })
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  const { root } = board.repository
  const approve = async () => {
    const { id } = await board.ready()
    await board.submitted(coder, id)
    await board.approved(reviewer, id)
  }
  const said = async (...words: string[]) => (await account.troupe('board', ...words, '--cwd', root)).stdout
  for (let left = 4; left > 0; left--) await approve()

  const before = await said('metrics')
  await approve()
  const [metrics, report] = [await said('metrics'), await said('report')]
  const { report_file } = JSON.parse(await said('checkpoint', '--json'))

  const warning = /nearly everything is approved; are the reviews real\?/i
  assert.deepEqual([warning.test(before), /review_verdict_approval_rate_percent +100/.test(before)], [false, true])
  for (const text of [metrics, report, await readFile(join(root, report_file), 'utf8')]) assert.match(text, warning)
})
