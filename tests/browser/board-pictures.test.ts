import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { leaveBoard } from '../../src/board/agent/register.ts'
import { mergeWork } from '../../src/board/task/merge.ts'
import { completeWhenReached } from '../../src/board/team/upkeep/complete-goal.ts'
import { openTroupe } from './open-troupe.ts'
import { plan, setBoard } from './set-board.ts'
import { played } from './set-scene.ts'

test('[B239] no line of the dependencies runs behind a task it does not concern, and no title leaves its box', async (t) => {
  const troupe = await openTroupe(t, [])
  const board = await setBoard(troupe)
  const wide = 'WWWWWWWWWWWW MMMMMMMMMMMMMMM of every list'
  await plan(board, { id: 'one', description: wide })
  await plan(board, { id: 'two', description: 'Second', depends_on: ['one'] })
  await plan(board, { id: 'three', description: wide, depends_on: ['two'] })
  await plan(board, { id: 'four', description: 'Needs the first and the third', depends_on: ['one', 'three'] })

  const page = await troupe.open(`/board/${board.board_id}?tab=graph`)
  await page.getByRole('region', { name: 'Dependencies' }).waitFor()

  assert.deepEqual(await behindTasks(page), [])
  assert.deepEqual(await outsideBoxes(page), [])
})

test('[B240] a chart of little money or little time has other words at each mark', async (t) => {
  const troupe = await openTroupe(t, [])
  const board = await setBoard(troupe)
  await plan(board, { id: 'one', description: 'First' })
  await board.agent('coder-1')
  await played(board, 'coder-1', 'one', 1)
  await played(board, 'coder-1', 'one', 0)
  const page = await troupe.open(`/board/${board.board_id}?tab=sprint`)

  const charts = page.getByRole('figure').filter({ has: page.locator('svg text') })
  await charts.filter({ hasText: 'Cost' }).waitFor()

  const marks = await Promise.all((await charts.all()).map((chart) => chart.locator('svg text').allTextContents()))
  assert.ok(marks.length > 1 && marks.flat().length >= 3 * marks.length, marks.join('; '))
  for (const words of marks) assert.equal(new Set(words).size, words.length, words.join(', '))
})

test('[B241] after the goal is reached the page says who worked, and asks for no team', async (t) => {
  const troupe = await openTroupe(t, [])
  const board = await setBoard(troupe)
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  await plan(board, { id: 'one', description: 'First' })
  await board.submitted(coder, 'one', 'src/one.ts', 'export const one = 1\n')
  await board.approved(reviewer, 'one')
  await mergeWork(board, reviewer, 'one')
  for (const agent of [coder, reviewer]) await leaveBoard(board, agent, 'done')
  await completeWhenReached(board.driver, board.board_id)

  const page = await troupe.open(`/board/${board.board_id}?tab=agents`)
  const worked = page.getByRole('list', { name: 'Who worked on it' })
  await worked.getByText('coder-1').waitFor()
  await worked.getByText('code-reviewer-1').waitFor()

  assert.equal(await page.getByText('Start a team').count(), 0)
})

/** The lines of which a point is within a box that is neither their beginning nor their end. */
function behindTasks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll<SVGRectElement>('[aria-label=Dependencies] a rect')].map((one) => one.getBBox())
    return [...document.querySelectorAll<SVGPathElement>('[aria-label=Dependencies] svg > g path')].flatMap((line) => {
      const points = Array.from({ length: 101 }, (_, at) => line.getPointAtLength((line.getTotalLength() * at) / 100))
      const crossed = boxes.filter((box) =>
        points.some(({ x, y }) => x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 1 && y < box.y + box.height - 1),
      )
      return crossed.map((box) => `a line runs behind the box at ${box.x}, ${box.y}`)
    })
  })
}

function outsideBoxes(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[aria-label=Dependencies] a')].flatMap((task) => {
      const right = task.querySelector('rect')?.getBoundingClientRect().right ?? 0
      return [...task.querySelectorAll('text, p')]
        .filter((text) => text.getBoundingClientRect().right > right)
        .map((text) => text.textContent)
    }),
  )
}
