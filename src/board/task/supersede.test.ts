import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { boardViolations } from '../../domain/board/validate.ts'
import { boardState } from '../view/state.ts'
import { abandonTask, supersedeTask } from './supersede.ts'
import { boardOf } from '../find.ts'
import { beginGoal } from '../goal/init.ts'
import { sprintReport } from '../view/sprint-report.ts'
import { ann, readyBoard } from '../test-board.ts'

const why = { reason: 'It is too large', root_cause: 'It was cut badly' }
const plan = { id: 'smaller', description: 'List the names', done_when: 'GET /names returns 200', scope: 'IN: names' }

test('[B41] a replacement that waits for what it replaces, or for what waits for that, is refused and nothing happens, to people and planners', async (t) => {
  const board = await readyBoard(t)
  await board.ready({ depends_on: ['task-1'] })
  await board.ready({ depends_on: ['task-2'] })
  const before = await boardState(board)
  const planner = await board.agent('planner-1')

  for (const who of [ann, planner]) {
    const waitingFor = (...depends_on: string[]) =>
      perform(supersedeTask, { ...board, actor: who }, { task: 'task-1', ...why, replacements: [{ ...plan, depends_on }] })
    await assert.rejects(waitingFor('task-1'), { code: 'bad_input', message: 'smaller cannot depend on task-1, which it replaces' })
    await assert.rejects(waitingFor('task-3'), {
      code: 'bad_input',
      message: 'dependencies must not lead in a circle: task-2 → smaller → task-3 → task-2',
    })
  }

  const after = await boardState(board)
  assert.deepEqual(after['tasks'], before['tasks'])
  assert.deepEqual(boardViolations(after, { now: new Date(), specExists: null, folderExists: null }), [])
})

test('[B45, B157] with the last open task abandoned the goal is over and the next can begin; the report counts as done what was merged', async (t) => {
  const board = await readyBoard(t)
  await board.ready()
  await perform(abandonTask, { ...board, actor: ann }, { task: 'task-1', ...why })
  const before = (await boardOf(board)).goal.status

  await perform(supersedeTask, { ...board, actor: ann }, { task: 'task-2', ...why, replacements: [plan] })
  await perform(abandonTask, { ...board, actor: ann }, { task: 'smaller', ...why })

  assert.deepEqual([before, (await boardOf(board)).goal.status], ['IN_PROGRESS', 'COMPLETED'])
  assert.match(await sprintReport(board), /^- Planned: 0 of 2 done; stretch: 0 of 0\n- Given up: 1 SUPERSEDED, 2 ABANDONED$/m)
  await beginGoal(board.driver, board.repository, { goal: 'Next' }, 'ann')
})

test('[B43] a rescope without a reason, a root cause or replacements that pass the gates changes nothing', async (t) => {
  const board = await readyBoard(t)

  await assert.rejects(
    perform(supersedeTask, { ...board, actor: ann }, { task: 'task-1', ...why, root_cause: ' ', replacements: [plan] }),
    {
      code: 'bad_input',
      message: /root_cause is empty/,
    },
  )
  await assert.rejects(perform(supersedeTask, { ...board, actor: ann }, { task: 'task-1', ...why, replacements: [] }), {
    code: 'bad_input',
  })
  await assert.rejects(
    perform(supersedeTask, { ...board, actor: ann }, { task: 'task-1', ...why, replacements: [plan, { description: 'Vague' }] }),
    {
      code: 'bad_input',
      message: /stays DRAFT/,
    },
  )

  assert.equal((await board.task('task-1')).status, 'UNCLAIMED')
  await assert.rejects(board.task('smaller'), { code: 'not_found' })
})
