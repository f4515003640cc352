import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { planned } from '../replies.ts'

const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><b>bold</b>'
const terminal = '\u001b[2J\u001b]0;owned\u0007'
const turned = 'rm old\u202e# yrd --\u2066'

test('[P27] HTML, escape codes and turned text from a model, a file or a person are shown and never obeyed', async (t) => {
  const troupe = await openTroupe(t, [
    { text: '', calls: [{ tool: 'read_file', input: { path: `${attack}.txt ${turned}` } }] },
    { text: `${attack} ${terminal} ${turned} [link](javascript:window.hacked=1)` },
    { text: JSON.stringify(planned(attack, [`${attack} ${turned}`])) },
  ])
  const page = await troupe.openChat('planner', attack)

  await page.getByRole('log').getByText('<b>bold</b>').nth(1).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('A plan, please')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('region', { name: 'Plan, version 1' }).getByText(attack).first().waitFor()
  await page.locator('summary').first().click()
  await page.getByText('Details', { exact: true }).click()
  await page.getByLabel('Arguments').getByText('rm old[U+202E]# yrd --[U+2066]').waitFor()

  assert.equal(await page.evaluate(() => 'hacked' in window), false)
  assert.equal(await page.evaluate(() => /[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)), false)
  assert.equal(await page.getByRole('log').locator('img, script, b').count(), 0)
  assert.equal(await page.locator('a[href^="javascript"]').count(), 0)
})

test('[P27] no title, name or label on the page is turned, whoever wrote it; what is chosen is sent as it was asked', async (t) => {
  const options = [
    { label: `Keep ${turned}`, value: `keep ${turned}`, description: turned },
    { label: 'Drop', value: 'drop' },
  ]
  const question = { type: 'question', question: `Which? ${turned}`, context: turned, severity: 'minor', options }
  const troupe = await openTroupe(t, [{ text: JSON.stringify(question) }, { text: 'Kept.' }])
  const page = await troupe.openChat('actor', turned)

  const turns = () => page.evaluate(() => /[\u202a-\u202e\u2066-\u2069]/.test(document.title + document.documentElement.outerHTML))

  await page.getByRole('button', { name: /^Keep/ }).waitFor()
  const turnsAsked = await turns()
  await page.getByRole('button', { name: /^Keep/ }).click()
  await page.getByText('Kept.').waitFor()

  assert.deepEqual([turnsAsked, await turns()], [false, false])
  assert.match(await page.getByRole('log').innerText(), /Answered by .*: Keep rm old\[U\+202E\]# yrd --\[U\+2066\]/)
})
