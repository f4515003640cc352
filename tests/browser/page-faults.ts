import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What depends on colours, of all that axe looks for unless told otherwise. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * What is wrong with a page: what axe finds, and what sticks out sideways.
 * One that still changed while it was looked at is looked at again: a fault that is there stays.
 */
export async function pageFaults(page: Page, only?: 'colours'): Promise<string[]> {
  if ((await lookAt(page, only)).length === 0) return []
  await page.waitForTimeout(500)
  return lookAt(page, only)
}

/** The same for a page in daylight, in the dark and on a phone; each fault with the look it shows in. It stays as wide as a phone. */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  const faults: string[] = []
  const look = async (name: string, only?: 'colours') => {
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    faults.push(...(await pageFaults(page, only)).map((fault) => `${name}: ${fault}`))
  }
  await drawAll(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await look('by day')
  await page.emulateMedia({ colorScheme: 'dark' })
  await look('by night', 'colours') // nothing else differs from the day
  await page.setViewportSize({ width: 375, height: 700 })
  await look('on a phone')
  return faults
}

/** What Chromium need not draw, because it is out of sight, would keep the colours of the day by night. */
function drawAll(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets.push(sheet)
  })
}

async function lookAt(page: Page, only?: 'colours'): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  if (!isThere) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (rules) => {
      const { run } = Reflect.get(globalThis, 'axe') as typeof axe // put there above
      return run({ resultTypes: ['violations'], ...(rules !== null && { runOnly: rules }) })
    },
    only === 'colours' ? colourRules : null,
  )
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
  return [...found, ...(await stickingOut(page))]
}

/** What has to be pushed sideways to be read, other than what is made for it: tabs, and regions a keyboard can reach. */
export function stickingOut(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((one) => one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX))
      .filter((one) => !one.matches('[role=tablist], [tabindex="0"], textarea, pre'))
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.scrollWidth - one.clientWidth} pixels stick out of <${one.tagName.toLowerCase()} class="${one.className}">`),
  )
}
