import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ann } from '../test-board.ts'
import { perform } from '../../domain/operation.ts'
import { openTestStore } from '../../store/test-store.ts'
import { makeTestRepository } from '../../worktrees/test-repository.ts'
import { readActivity } from '../activity.ts'
import { boardOf } from '../find.ts'
import { beginGoal } from './init.ts'
import { specifyGoal } from './configure.ts'

test('[B46] an open goal is given the spec it was begun without, which is logged; another spec, or one that is no file, is refused', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'a.md': 'A\n', 'b.md': 'B\n' })]
  const { id } = await beginGoal(driver, repository, { goal: 'Write it' }, 'ann')
  const desk = { driver, board_id: id, repository }

  await assert.rejects(perform(specifyGoal, { ...desk, actor: ann }, { spec_ref: 'gone.md' }), {
    code: 'bad_input',
    message: /gone\.md is not a file of this project/,
  })
  await perform(specifyGoal, { ...desk, actor: ann }, { spec_ref: 'a.md' })
  await perform(specifyGoal, { ...desk, actor: ann }, { spec_ref: 'a.md' })
  await assert.rejects(perform(specifyGoal, { ...desk, actor: ann }, { spec_ref: 'b.md' }), {
    code: 'conflict',
    message: /planned by a\.md, not by b\.md/,
    next: [{ operation: 'board.abort' }],
  })

  assert.equal((await boardOf(desk)).goal.spec_ref, 'a.md')
  const said = (await readActivity(driver, id)).filter(({ action }) => action === 'goal_specified')
  assert.deepEqual(
    said.map(({ agent, detail }) => [agent, detail]),
    [['ann', 'a.md']],
  )
})
