import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestStore } from '../../store/test-store.ts'
import { makeTestRepository } from '../../worktrees/test-repository.ts'
import { readActivity } from '../activity.ts'
import { boardOf } from '../find.ts'
import { initBoard } from './init.ts'
import { specifyGoal } from './specify-goal.ts'

test('[B46] an open goal is given the spec it was begun without, which is logged; another spec, or one that is no file, is refused', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'a.md': 'A\n', 'b.md': 'B\n' })]
  const { id } = await initBoard(driver, repository, { goal: 'Write it' }, 'ann')
  const desk = { driver, board_id: id, repository }

  await assert.rejects(specifyGoal(desk, 'ann', 'gone.md'), { code: 'bad_input', message: /gone\.md is not a file of this project/ })
  await specifyGoal(desk, 'ann', 'a.md')
  await specifyGoal(desk, 'ann', 'a.md')
  await assert.rejects(specifyGoal(desk, 'ann', 'b.md'), { code: 'conflict', message: /planned by a\.md, not by b\.md; leave --spec out/ })

  assert.equal((await boardOf(desk)).goal.spec_ref, 'a.md')
  const said = (await readActivity(driver, id)).filter(({ action }) => action === 'goal_specified')
  assert.deepEqual(
    said.map(({ agent, detail }) => [agent, detail]),
    [['ann', 'a.md']],
  )
})
