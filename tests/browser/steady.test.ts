import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openTroupe } from './open-troupe.ts'
import { planned, replyWith } from '../replies.ts'

/** Above this the layout counts as jumping, by the common measure of the web. */
const JUMPY = 0.1

const prose = Array.from({ length: 12 }, (_, at) => `Paragraph ${at} about the greeting, with **some** words of \`code\` in it.`).join(
  '\n\n',
)

test('[P47] nothing jumps while a reply is written, a command prints and a card appears', async (t) => {
  const troupe = await openTroupe(
    t,
    [
      { text: prose, calls: [{ tool: 'list_directory', input: {} }] },
      { text: replyWith(prose, planned('Write a greeting', ['Create greeting.txt', 'Read it back'])) },
      {
        text: '[step 1 active]',
        calls: [{ tool: 'execute_command', input: { command: 'for i in 1 2 3 4 5 6; do echo line $i; sleep 0.2; done' } }],
      },
      { text: `${prose}\n\nAll done.` },
    ],
    { pace_ms: 10 },
  )
  const page = await troupe.openChat('planner')
  await page.getByRole('textbox', { name: 'Message' }).fill('Greet')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await page.locator('[data-message]').first().waitFor() // what makes room for it is the answer to a key, however slow the machine
  await watchJumps(page)

  await page.getByRole('button', { name: 'Execute Plan' }).waitFor()
  const planning = await jumped(page)
  await page.getByRole('button', { name: 'Execute Plan' }).click()
  await page.getByText('All done.').waitFor()
  const acting = await jumped(page)
  await page.evaluate(() => document.body.style.setProperty('padding-top', '50vh')) // a jump, to see that it would be seen
  await page.waitForFunction((least) => Number(Reflect.get(window, 'jumps')) > least, JUMPY)

  assert.ok(planning < JUMPY && acting < JUMPY, `the layout jumped by ${planning} while planning and by ${acting} in all`)
})

test('[P48] of a long chat only what is near the eye is drawn', async (t) => {
  const troupe = await openTroupe(t, [{ text: prose, repeat: true }])
  const chat = await troupe.newChat('actor')
  await troupe.converse(chat.id, 40)

  const page = await troupe.open(`/chat/${chat.id}`)
  await page.getByText('Message 39').waitFor()

  const drawn = await page.evaluate(
    () =>
      [...document.querySelectorAll('[data-message]')].filter((message) => message.checkVisibility({ contentVisibilityAuto: true })).length,
  )
  assert.ok(drawn > 0 && drawn <= 45, `${drawn} of 80 messages are drawn`)
})

async function watchJumps(page: Page): Promise<void> {
  await page.evaluate(() => {
    Reflect.set(window, 'jumps', 0)
    const seen = new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) {
        const { value, hadRecentInput } = shift as PerformanceEntry & { value: number; hadRecentInput: boolean } // a layout shift has both
        if (!hadRecentInput) Reflect.set(window, 'jumps', Reflect.get(window, 'jumps') + value)
      }
    })
    seen.observe({ type: 'layout-shift', buffered: false })
  })
}

function jumped(page: Page): Promise<number> {
  return page.evaluate(() => Number(Reflect.get(window, 'jumps')))
}
