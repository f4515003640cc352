import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { setJobs } from './set-jobs.ts'

test('[P78] on a phone a diff reads as one: all lines that went, then all that came', async (t) => {
  const edit = { path: 'list.txt', old_text: 'one\ntwo\nthree', new_text: 'eins\nzwei\ndrei' }
  const troupe = await openTroupe(t, [{ text: '', calls: [{ tool: 'update_file', input: edit }] }, { text: 'Done.' }])
  await writeFile(join(troupe.workspace, 'list.txt'), 'head\none\ntwo\nthree\ntail\n')
  const chat = await troupe.newChat('actor', 'Translate it')
  const page = await troupe.open(`/chat/${chat.id}`, { width: 390, height: 844 })
  await page.getByText('Done.').waitFor()
  await page.locator('summary').filter({ hasText: 'Edited' }).click()
  const lines = page.locator('td.diff-code')
  await lines.filter({ hasText: 'drei' }).waitFor()

  const marked = await lines.evaluateAll((all) =>
    all.map(
      ({ classList, textContent }) =>
        `${classList.contains('diff-code-insert') ? '+' : ''}${classList.contains('diff-code-delete') ? '-' : ''}${textContent}`,
    ),
  )

  assert.deepEqual(marked, ['head', '-one', '-two', '-three', '+eins', '+zwei', '+drei', 'tail'])
})

test('[P79] at twice the size every place of the rail can be reached, and the tab that is open is in sight', async (t) => {
  const troupe = await openTroupe(t, [])
  await setJobs(troupe)
  const cut: string[] = []
  for (const tab of ['timeline', 'replay']) {
    const page = await troupe.open(`/jobs/paging?tab=${tab}`, { width: 720, height: 450 })
    const open = page.getByRole('tab', { selected: true })
    await open.waitFor()
    await page.getByRole('tabpanel').waitFor()
    const inSight = await open.evaluate((one) => {
      const [own, list] = [one.getBoundingClientRect(), one.closest('[role=tablist]')?.getBoundingClientRect()]
      return list !== undefined && own.left >= list.left - 1 && own.right <= list.right + 1
    })
    if (!inSight) cut.push(tab)
  }
  const page = await troupe.open('/roles', { width: 720, height: 300 })
  const theme = page.getByRole('button', { name: /^Theme:/ })
  await theme.waitFor()
  await page.mouse.move(20, 200)
  await page.mouse.wheel(0, 2_000) // as a person would: a script can also scroll what hides its rest

  assert.deepEqual(cut, [])
  await page.waitForFunction(() => {
    const box = document.querySelector('button[aria-label^="Theme:"], button[title^="Theme:"]')?.getBoundingClientRect()
    return box !== undefined && box.top >= 0 && box.bottom <= 300
  })
})
