import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { cleaningUp } from '../../src/sandbox/test-folder.ts'
import { launchBrowser } from './launch-browser.ts'
import { mainStates, reach, type MainState } from './main-states.ts'
import { screenStates } from './screen-states.ts'
import { startTroupe } from './start-troupe.ts'

const root = join(import.meta.dirname, '../..')
const looks = [
  { name: 'light', colorScheme: 'light', size: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', size: { width: 1440, height: 900 } },
  { name: 'phone', colorScheme: 'light', size: { width: 390, height: 844 } },
] as const

/**
 * Writes a picture of each main state into docs/images, for the documentation, and of every screen in light, dark and on a phone
 * into the folder `screenshots`, for anyone who judges a change. Names choose some of them. The same program gives the same pictures.
 */
export async function writeScreenshots(names: readonly string[]): Promise<void> {
  await mkdir(join(root, 'screenshots'), { recursive: true })
  const browser = await launchBrowser()
  const wanted = [...mainStates, ...screenStates].filter(({ name }) => names.length === 0 || names.includes(name))
  for (const state of wanted) await takePictures(browser, state)
  await browser.close()
}

async function takePictures(browser: Browser, state: MainState): Promise<void> {
  await cleaningUp(async (t) => {
    const troupe = await startTroupe(t, state.replies, async () => browser)
    const page = await troupe.open(await reach(troupe, state))
    await state.act?.(page)
    await state.see(page)
    await steady(page, troupe.workspace)
    if (mainStates.includes(state)) {
      await page.screenshot({ path: join(root, 'docs/images', `${state.name}.png`), animations: 'disabled' })
    }
    for (const { name, colorScheme, size } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(size)
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      await steady(page, troupe.workspace)
      await page.screenshot({ path: join(root, 'screenshots', `${state.name}-${name}.png`), animations: 'disabled' })
    }
  })
}

/** Clocks and folders differ from one run to the next; a picture must not. */
async function steady(page: Page, workspace: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.waitForFunction(() => document.querySelector('.prose > p.whitespace-pre-wrap') === null) // Markdown is loaded on first use
  await page.evaluate(() => document.fonts.ready)
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
    { folder: workspace, checkout: root },
  )
}
