import type { Page } from 'playwright-core'
import type { Troupe } from '../tests/browser/start-troupe.ts'
import { fillThread } from './chat/fill-thread.ts'
import type { Bench, Row } from './report/bench.ts'
import { inBrowser } from './report/in-browser.ts'
import { JERK_MS, scrollThrough, type Scrolled } from './report/scroll-through.ts'

const LONG = 1_000
const SHORT = 200

export const bench: Bench = {
  name: 'scrolling through a long chat in Chromium',
  run: async (t) => {
    const troupe = await inBrowser(t, [])
    const short = await scrolled(troupe, SHORT)
    const long = await scrolled(troupe, LONG)
    return [workRow(short, long), jerkRow(long)]
  },
}

/** By the work of the page and not by the clock: that holds on a machine that does other things as well. */
function workRow(short: Scrolled, long: Scrolled): Row {
  const what = `work for a frame while scrolling ${LONG} messages, against ${SHORT}`
  return { what, unit: 'ms', floor: short.workMs, ours: long.workMs, budget: { at_most: 2 } }
}

function jerkRow({ jerky }: Scrolled): Row {
  return { what: `frames over ${JERK_MS} ms while scrolling ${LONG} messages`, unit: '%', ours: jerky * 100, budget: { at_most: 5 } }
}

async function scrolled(troupe: Troupe, messages: number): Promise<Scrolled> {
  const chat = await troupe.newChat('actor')
  await fillThread(await troupe.openStore(), chat.id, messages, said)
  const page = await troupe.open(`/chat/${chat.id}`)
  await showAll(page, messages)
  return scrollThrough(page)
}

async function showAll(page: Page, messages: number): Promise<void> {
  const log = page.getByRole('log', { name: 'Messages' })
  await log.getByText(`Message ${messages - 1}:`).waitFor()
  const earlier = page.getByRole('button', { name: 'Show earlier messages' })
  for (let shown = 200; shown < messages; shown += 200) {
    await earlier.click()
    await log.getByText(`Message ${Math.max(0, messages - shown - 200)}:`).waitFor({ state: 'attached' })
  }
}

/** A person asks, a model answers with a list and a piece of code. */
function said(number: number): string {
  if (number % 2 === 0) return `Message ${number}: what does this do?`
  return `Message ${number}: it does **two things**:\n\n- it reads the file\n- it counts the lines\n\n\`\`\`js\nconst lines = text.split('\\n').length\n\`\`\`\n`
}
