import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { stickingOut } from './page-faults.ts'

const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64')
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

test('[A134] files chosen, pasted or dropped on the page go with the message, one can be left out, and an image is shown', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'A dot.', expect: { user: 'KEEP 42' } }])
  const page = await troupe.openChat('planner')
  await page.setViewportSize({ width: 375, height: 667 })
  const attached = page.getByRole('list', { name: 'Attached to your message' }).getByRole('listitem')

  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: dot },
    { name: 'page.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'out.log', mimeType: 'text/plain', buffer: Buffer.from('KEEP 42\n') },
    { name: 'tool.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([1, 0, 2]) },
  ])
  await page.getByRole('alert').filter({ hasText: 'tool.bin' }).waitFor()
  await give(page, 'paste', 'pasted.png')
  await give(page, 'drop', 'dropped.png')
  await attached.nth(4).waitFor()
  const sticking = await stickingOut(page)
  await page.getByRole('button', { name: 'Leave out dropped.png' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('A dot.').waitFor()

  await page.getByRole('img', { name: 'dot.png' }).waitFor()
  const sent = JSON.stringify(troupe.model.requests[0]?.body)
  assert.deepEqual([sent.split('data:image/png').length - 1, sent.split('data:application/pdf').length - 1], [2, 1])
  assert.equal(await page.getByText('out.log (1 line), dot.png, page.pdf, pasted.png').count(), 1)
  assert.equal(await attached.count(), 0)
  assert.equal(await page.getByText('KEEP 42').count(), 0)
  assert.deepEqual(sticking, [])
})

test('[A131] on the page an @ completes the files the role may read, with keys and pointer, and the file goes with the message', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Seen.', expect: { user: 'the answer is 42' } }])
  await writeFile(join(troupe.workspace, 'answers.md'), 'the answer is 42\n')
  await writeFile(join(troupe.workspace, 'answer key.md'), 'no\n')
  await writeFile(join(troupe.workspace, '.env'), 'KEY=1\n')
  const page = await troupe.openChat('planner')
  const box = page.getByRole('textbox', { name: 'Message' })

  await box.pressSequentially('see @ans')
  await page.getByRole('option', { name: 'answers.md' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  await box.pressSequentially('w')
  await page.getByRole('option', { name: 'answer key.md' }).click()
  const quoted = await box.inputValue()
  await box.fill('see @answers')
  await page.getByRole('option', { name: 'answers.md' }).waitFor()
  await page.keyboard.press('Tab')
  const completed = await box.inputValue()
  await box.pressSequentially('and say')
  await page.keyboard.press('Enter')
  await page.getByText('Seen.').waitFor()

  assert.deepEqual([quoted, completed], ['see @"answer key.md" ', 'see @answers.md '])
  assert.equal(await page.getByText('answers.md (1 line)').count(), 1)
})

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openTroupe>>['openChat']>>

/** What a browser does when a person pastes or drops an image. */
async function give(page: Page, how: 'paste' | 'drop', name: string): Promise<void> {
  const script = `(() => {
    const given = new DataTransfer()
    given.items.add(new File([Uint8Array.from(atob(${JSON.stringify(dot.toString('base64'))}), (letter) => letter.charCodeAt(0))], ${JSON.stringify(name)}))
    const box = document.querySelector('[data-composer]')
    const event = ${JSON.stringify(how)} === 'paste'
      ? new ClipboardEvent('paste', { clipboardData: given, bubbles: true, cancelable: true })
      : new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true })
    box.dispatchEvent(event)
  })()`
  await page.evaluate(script)
}
