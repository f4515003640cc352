import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { each } from '../../domain/test-each.ts'
import { boards } from '../../store/tables.ts'
import { lookForPatterns } from './circuit-breaker.ts'
import { findPatterns } from './circuit-breaker-patterns.ts'
import { pauseBoard, resumeBoard } from '../goal/control.ts'
import { boardOf } from '../find.ts'
import { logAnomaly } from '../view/report.ts'
import { startBoardUpkeep } from '../team/upkeep/upkeep.ts'
import { testStation } from '../team/test-team.ts'
import { ann, readyBoard, type TestBoard } from '../test-board.ts'

const timestamp = new Date(0).toISOString()
const details = {
  retry_loop: (at: number) => ({ count: 3, error_pattern: `TypeError at line ${at}: users is undefined` }),
  trade_off: (at: number) => ({ what: `shortcut ${'x'.repeat(at * 9)}`, why: 'time', debt_created: true }),
  assumption_violated: () => ({ assumption: 'ids are numbers', reality: 'they are words' }),
  workaround: () => ({ root_cause: 'the cache cannot be emptied' }),
  spec_ambiguity: () => ({ spec_ref: 'spec.md#users' }),
  external_blocker: () => ({ blocker_service: 'registry' }),
} as const

function anomalies(type: keyof typeof details, count: number) {
  return Array.from({ length: count }, (_, at) => ({ type, task: `task-${at}`, timestamp, details: { ...details[type](at + 1) } }))
}

test('[B120] each of the six patterns is found at its threshold, with its severity', () => {
  const found = Object.entries({
    retry_loop: 3,
    trade_off: 3,
    assumption_violated: 2,
    workaround: 2,
    spec_ambiguity: 2,
    external_blocker: 2,
  } as const).map(([type, count]) => findPatterns(anomalies(type as keyof typeof details, count))[0]) // the keys stand above

  assert.deepEqual(
    found.map((one) => [one?.pattern, one?.severity, one?.response]),
    [
      ['retry_cluster', 'ARCHITECTURE_FLAW', 'checkpoint'],
      ['debt_accumulation', 'SCOPE_FLAW', 'checkpoint'],
      ['assumption_cascade', 'SPEC_FLAW', 'checkpoint'],
      ['workaround_pattern', 'ARCHITECTURE_FLAW', 'checkpoint'],
      ['spec_gap_cluster', 'SPEC_FLAW', 'checkpoint'],
      ['external_service_outage', 'EXTERNAL_DEPENDENCY', 'checkpoint'],
    ],
  )
})

test('[B121] one short of a threshold of three is a warning, twice a threshold is a halt, and unlike texts are no cluster', () => {
  const unlike = anomalies('external_blocker', 2).map((one, at) => ({ ...one, details: { blocker_service: ['registry', 'mail'][at] } }))

  const responses = [2, 3, 6].map((count) => findPatterns(anomalies('retry_loop', count))[0]?.response)

  assert.deepEqual(responses, ['warning', 'checkpoint', 'halt'])
  assert.deepEqual(findPatterns(unlike), [])
})

test('[B122] a breaker that trips stops the board with a report, and trips again only for what comes after it was resolved', async (t) => {
  const board = await readyBoard(t)
  await report(board, 'external_blocker', 2)

  const tripped = await lookForPatterns(board)
  const again = await lookForPatterns(board)
  const stopped = await boardOf(board)
  await perform(resumeBoard, { ...board, actor: ann }, { decision: 'wait for the registry' })
  const resolved = await lookForPatterns(board)
  await report(board, 'external_blocker', 2)
  const later = await lookForPatterns(board)

  assert.equal(tripped.response, 'checkpoint')
  assert.equal(again.report_file, tripped.report_file)
  assert.equal(stopped.signal?.name, 'CHECKPOINT')
  assert.equal(stopped.circuit_breaker.current_trigger?.pattern, 'external_service_outage')
  assert.match(
    await readFile(join(board.repository.root, tripped.report_file ?? ''), 'utf8'),
    /external_service_outage: checkpoint[^]*registry/,
  )
  assert.deepEqual([resolved.response, later.response], ['none', 'checkpoint'])
  const { history } = (await boardOf(board)).circuit_breaker
  assert.equal(history[0]?.['resolution'], 'wait for the registry')
})

test('[B122] a breaker that trips while the board is paused stops it for a look too, so that it can be resolved', async (t) => {
  const board = await readyBoard(t)
  await perform(pauseBoard, { ...board, actor: ann }, { message: 'lunch' })
  await report(board, 'external_blocker', 2)

  await lookForPatterns(board)
  await assert.rejects(perform(resumeBoard, { ...board, actor: ann }, { decision: '' }), { code: 'bad_input' })
  const resumed = await perform(resumeBoard, { ...board, actor: ann }, { decision: 'wait for the registry' })

  assert.deepEqual([resumed.signal, (await boardOf(board)).circuit_breaker.current_trigger], [null, null])
})

test('[B122] a team that starts stops for what was logged while nobody listened, but not when its goal is reached', async (t) => {
  const signals = []
  for (const goal of ['IN_PROGRESS', 'COMPLETED'] as const) {
    const board = await readyBoard(t)
    await report(board, 'external_blocker', 2)
    const was = await boards.get(board.driver, board.board_id)
    await boards.replace(board.driver, was, { ...was.item, goal: { ...was.item.goal, status: goal } })

    const clerk = startBoardUpkeep(await testStation(t, board, {}), { completesGoal: false })
    await clerk.stop()

    signals.push((await boardOf(board)).signal?.name)
  }

  assert.deepEqual(signals, ['CHECKPOINT', undefined])
})

test('[B121] a warning is said once, and once more for what comes after a person has looked', async (t) => {
  const board = await readyBoard(t)
  const loopAndLook = async (times: number) => {
    await report(board, 'retry_loop', times)
    for (let look = 0; look < 2; look++) await lookForPatterns(board)
  }

  for (const times of [2, 1]) await loopAndLook(times)
  await perform(resumeBoard, { ...board, actor: ann }, { decision: 'a new spec' })
  await sleep(2) // what happened in the same millisecond counts as looked at
  await loopAndLook(2)

  const { history } = (await boardOf(board)).circuit_breaker
  assert.deepEqual(each(history, 'result'), ['WARNING', 'CHECKPOINT', 'WARNING'])
})

async function report(board: TestBoard, type: keyof typeof details, count: number): Promise<void> {
  for (let at = 0; at < count; at++)
    await perform(logAnomaly, { ...board, actor: ann }, { task: 'task-1', type, details: details[type](at) })
}
