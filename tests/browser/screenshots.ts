import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { cleaningUp } from '../../src/sandbox/test-folder.ts'
import { launchBrowser } from './launch-browser.ts'
import { mainStates, reach } from './main-states.ts'
import { startTroupe } from './start-troupe.ts'

/** Writes a picture of each main state for the documentation; the same program gives the same pictures. */
export async function writeScreenshots(): Promise<void> {
  const folder = join(import.meta.dirname, '../../docs/images')
  const browser = await launchBrowser()
  for (const state of mainStates) {
    await cleaningUp(async (t) => {
      const troupe = await startTroupe(t, state.replies, async () => browser)
      const page = await troupe.open(await reach(troupe, state))
      await state.act?.(page)
      await state.see(page)
      await steady(page, troupe.workspace)
      await page.screenshot({ path: join(folder, `${state.name}.png`), animations: 'disabled' })
    })
  }
  await browser.close()
}

/** Clocks and folders differ from one run to the next; a picture must not. */
async function steady(page: Page, workspace: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.waitForFunction(() => document.querySelector('.prose > p.whitespace-pre-wrap') === null) // Markdown is loaded on first use
  await page.evaluate(
    ({ folder, checkout }) => {
      for (const time of document.querySelectorAll('time')) time.textContent = '10:00'
      for (const field of document.querySelectorAll('input')) if (field.value === folder) field.value = '/home/you/shop'
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        node.nodeValue = (node.nodeValue ?? '')
          .replaceAll(folder, '/home/you/shop')
          .replaceAll(checkout, '/home/you/troupe')
          .replace(/^[\d.]+ m?s$/, '12 ms')
          .replace(/^(\d+ s ago|just now)$/, '20 s ago')
        if (node.nodeValue === 'project') node.nodeValue = 'shop'
      }
    },
    { folder: workspace, checkout: join(import.meta.dirname, '../..') },
  )
}
