import { Entry } from '../src/domain/entry.ts'
import { entries, runs } from '../src/store/tables.ts'
import { testRun } from '../src/store/test-run.ts'
import type { Troupe } from '../tests/browser/start-troupe.ts'
import type { Bench } from './report/bench.ts'
import { inBrowser } from './report/in-browser.ts'
import { JERK_MS, scrollThrough } from './report/scroll-through.ts'

const LONG = 10_000
const SHORT = 500

/** Through the trace of a run: half of its lines are words, half are calls. */
export const bench: Bench = {
  name: 'scrolling through a long trace in Chromium',
  run: async (t) => {
    const troupe = await inBrowser(t, [])
    const short = await scrolled(troupe, SHORT)
    const long = await scrolled(troupe, LONG)
    const what = `work for a frame while scrolling a trace of ${LONG} events, against ${SHORT}`
    return [
      { what, unit: 'ms', floor: short.workMs, ours: long.workMs, budget: { at_most: 2 } },
      { what: `frames over ${JERK_MS} ms while scrolling ${LONG} events`, unit: '%', ours: long.jerky * 100, budget: { at_most: 5 } },
    ]
  },
}

async function scrolled(troupe: Troupe, events: number) {
  const driver = await troupe.openStore()
  const id = `run_${events}`
  await runs.add(driver, testRun({ id, thread_id: `thread_${events}`, status: 'completed', ended_at: '2026-01-01T01:00:00.000Z' }))
  await driver.transaction(async (tx) => {
    for (let number = 0; number < events; number++) await entries.add(tx, event(id, events, number))
  })
  const page = await troupe.open(`/runs/${id}`)
  await page.locator('[role=log][aria-busy=false]').waitFor()
  await page.getByRole('log').evaluate((box) => box.scrollTo(0, box.scrollHeight / 2))
  return scrollThrough(page)
}

function event(run_id: string, events: number, number: number): Entry {
  const id = `entry_${events}_${number}`
  const common = { id, thread_id: `thread_${events}`, number, run_id, at: '2026-01-01T00:00:00.000Z', role: 'actor' }
  const call = { id: `call_${number}`, tool: 'read_file', input: { path: `src/file-${number}.ts` } }
  const said = { from: 'assistant', model: 'm', type: 'text', text: `It reads **file ${number}**.`, calls: [call], usage: {}, took_ms: 1 }
  const answered = { from: 'tool', call_id: `call_${number - 1}`, tool: 'read_file', outcome: 'ok', output: 'one\ntwo', took_ms: 2 }
  return Entry.parse({ ...common, ...(number % 2 === 0 ? said : answered) })
}
