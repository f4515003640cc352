import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * What is wrong with a page: what axe finds, and what sticks out sideways.
 * One that still changed while it was looked at is looked at again: a fault that is there stays.
 */
export async function pageFaults(page: Page): Promise<string[]> {
  if ((await lookAt(page)).length === 0) return []
  await page.waitForTimeout(500)
  return lookAt(page)
}

async function lookAt(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (Reflect.get(globalThis, 'axe') as typeof axe).run()) // the line above put it there
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
