import type { Page } from 'playwright-core'
import { taskFlow } from '../src/domain/board/task-flow.ts'
import type { Cleanup } from '../src/sandbox/test-folder.ts'
import type { Troupe } from '../tests/browser/start-troupe.ts'
import { lowest, type Bench, type Row } from './report/bench.ts'
import { fillBoard } from './board/fill-board.ts'
import { inBrowser } from './report/in-browser.ts'

const MANY = 5_000
/** As many as the first screen shows at most, so that only the size of the board differs. */
const FEW = taskFlow.states.length * 20
/** How often "Show more" is pressed in the fullest column: more cards than anybody reads. */
const PRESSES = 4
const FRAMES = 120
const TRIES = 3

export const bench: Bench = { name: 'board page', run: runBoardPageBench }

/** A board of 5 000 tasks in a real browser, held against one that fits on one screen. */
async function runBoardPageBench(t: Cleanup): Promise<Row[]> {
  const troupe = await inBrowser(t, [])
  const driver = await troupe.openStore()
  await fillBoard(driver, 'few', FEW)
  await fillBoard(driver, 'many', MANY)
  await look(troupe, 'few') // the first page of a browser pays for all that follow
  let [few, many] = [await look(troupe, 'few'), await look(troupe, 'many')]
  for (let more = 1; more < TRIES; more++) {
    few = lowest(few, await look(troupe, 'few'))
    many = lowest(many, await look(troupe, 'many'))
  }
  return rowsOf(few, many)
}

interface Seen {
  usable: number
  more: number
  scroll: number
  cards: number
}

function rowsOf(few: Seen, many: Seen): Row[] {
  return [
    { what: `page of ${MANY} tasks usable, against ${FEW}`, unit: 'ms', ours: many.usable, floor: few.usable, budget: { at_most: 2 } },
    { what: `page of ${MANY} tasks usable`, unit: 'ms', ours: many.usable, budget: { at_most: 1_000 } },
    {
      what: `a frame while scrolling ${many.cards} cards, against ${few.cards}`,
      unit: 'ms',
      ours: many.scroll,
      floor: few.scroll,
      budget: { at_most: 2 },
    },
    { what: '100 more cards', unit: 'ms', ours: many.more, budget: { at_most: 1_000 } },
  ]
}

/** Opens a board as a person does, asks for more of a column, and scrolls to its end. */
async function look(troupe: Troupe, board: string): Promise<Seen> {
  const page = await troupe.open(`/board/${board}`)
  await page
    .getByRole('region', { name: /^Merged, / })
    .getByRole('link')
    .first()
    .waitFor()
  const usable = await page.evaluate(() => performance.now())
  const more = await pressMore(page)
  const scroll = await frameTime(page)
  const cards = await page.getByRole('region', { name: 'Tasks by state' }).locator('li a').count()
  await page.context().close()
  return { usable, more, scroll, cards }
}

async function pressMore(page: Page): Promise<number> {
  const column = page.getByRole('region', { name: /^Merged, / })
  let slowest = 0
  for (let press = 0; press < PRESSES; press++) {
    const button = column.getByRole('button', { name: 'Show more' })
    if ((await button.count()) === 0) return slowest
    const shown = await column.locator('li').count()
    const started = performance.now()
    await button.click()
    await column.locator('li').nth(shown).waitFor()
    slowest = Math.max(slowest, performance.now() - started)
  }
  return slowest
}

/** The median time of a frame while the page is scrolled by half a screen in each. */
async function frameTime(page: Page): Promise<number> {
  return page.evaluate(async (frames) => {
    const scroller = document.querySelector('main .overflow-y-auto') ?? document.documentElement
    const times: number[] = []
    let before = performance.now()
    for (let frame = 0; frame < frames; frame++) {
      scroller.scrollTop = (frame * 400) % scroller.scrollHeight
      await new Promise(requestAnimationFrame)
      times.push(performance.now() - before)
      before = performance.now()
    }
    return times.toSorted((one, other) => one - other)[Math.floor(frames / 2)] ?? 0
  }, FRAMES)
}
