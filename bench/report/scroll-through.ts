import type { Page } from 'playwright-core'

const FRAMES = 200
const STEP_PX = 200

/** A frame that takes longer than this is seen as a jerk: three of the sixty in a second are missed. */
export const JERK_MS = 50

export interface Scrolled {
  /** What the page's main thread worked for each frame. */
  workMs: number
  /** The share of frames that came late. */
  jerky: number
}

/** Scrolls through the log of a page and measures each frame. */
export async function scrollThrough(page: Page): Promise<Scrolled> {
  const probe = await page.context().newCDPSession(page)
  await probe.send('Performance.enable')
  const worked = async () => (await probe.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0
  await oneScroll(page) // once before: what is drawn for the first time costs more than what is drawn again
  const before = await worked()
  const frames = await oneScroll(page)
  const workMs = ((await worked()) - before) * (1_000 / FRAMES)
  return { workMs, jerky: frames.filter((ms) => ms > JERK_MS).length / frames.length }
}

/** Up from the end and down again, a step each frame; gives back how long each frame took. */
function oneScroll(page: Page): Promise<number[]> {
  return page.evaluate(
    async ({ frames, step }) => {
      const box = document.querySelector('[role=log]')
      const took: number[] = []
      let last = performance.now()
      for (let frame = 0; frame < frames; frame++) {
        box?.scrollBy(0, frame < frames / 2 ? -step : step)
        await new Promise((drawn) => requestAnimationFrame(drawn))
        took.push(performance.now() - last)
        last = performance.now()
      }
      return took
    },
    { frames: FRAMES, step: STEP_PX },
  )
}
