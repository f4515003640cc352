import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { jobs } from '../../src/store/tables.ts'
import { agentAuthor, commitAll } from '../../src/worktrees/commit.ts'
import { openTroupe } from './open-troupe.ts'
import { setJobs } from './set-jobs.ts'

test('[J62] what a job changed stands under the name of its file, and a very long change is cut instead of freezing the page', async (t) => {
  const troupe = await openTroupe(t, [])
  const { agent } = await setJobs(troupe)
  const was = await jobs.get(agent.driver, 'invoices')
  for (const word of ['alpha', 'beta', 'omega'])
    await writeFile(join(was.item.workspace, `${word}.txt`), lines(word, word === 'omega' ? 3 : 20_000))
  const head_commit = await commitAll(was.item.workspace, 'Much', agentAuthor('worker'))
  await jobs.replace(agent.driver, was, { ...was.item, head_commit })
  const page = await troupe.open('/jobs/invoices')

  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByText('3 files changed since the base.').waitFor()
  const told = await page.getByRole('figure').allInnerTexts()

  assert.deepEqual(
    told.map((text) => [/^\w+\.txt/.exec(text)?.[0], /(alpha|beta|omega) \d/.exec(text)?.[1]]).filter(([name]) => name !== 'beta.txt'),
    [
      ['alpha.txt', 'alpha'],
      ['omega.txt', 'omega'],
    ],
  )
  assert.match(
    await page
      .getByText(/lines more/)
      .first()
      .innerText(),
    /^[\d,]+ lines more; troupe job export invoices writes all of it\.$/,
  )
})

function lines(word: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `${word} ${at} ${'-'.repeat(60)}`).join('\n')
}
