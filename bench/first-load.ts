import type { Cleanup } from '../src/sandbox/test-folder.ts'
import type { Bench, Row } from './report/bench.ts'
import { inBrowser } from './report/in-browser.ts'

const TRIES = 5

/** From typing the address to a page whose button can be pressed, in a browser that has never seen it, on loopback. */
export const bench: Bench = { name: 'first page load', run: load }

async function load(t: Cleanup): Promise<Row[]> {
  const troupe = await inBrowser(t, null)
  let best = Infinity
  for (let at = 0; at < TRIES; at++) {
    const started = performance.now()
    const page = await troupe.open('/')
    await page.getByRole('button', { name: 'Try it in the demo workspace' }).click({ trial: true })
    best = Math.min(best, performance.now() - started)
    await page.context().close()
  }
  return [{ what: 'first page load until a button can be pressed', unit: 'ms', ours: best, budget: { at_most: 1_000 } }]
}
