import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noUsage } from '../domain/entry.ts'
import type { Delta } from '../domain/event.ts'
import { rowsOf } from '../domain/test-each.ts'
import { createLive } from './live.ts'

const ids = { thread_id: 'chat', run_id: 'run' }

test('[P42] who comes late hears the end of a long output, at its place, and what follows after it', () => {
  const live = createLive()
  const [early, late]: [Delta[], Delta[]] = [[], []]
  live.hear((delta) => early.push(delta))
  live.watch({ type: 'tool_output', ...ids, call_id: 'c', text: 'a'.repeat(9_000) })

  live.hear((delta) => late.push(delta))
  live.watch({ type: 'tool_output', ...ids, call_id: 'c', text: 'end' })

  assert.deepEqual(rowsOf(late, 'from', 'text'), [
    [1_000, 'a'.repeat(8_000)],
    [9_000, 'end'],
  ])
  assert.deepEqual(
    early.map(({ from, text }) => [from, text.length]),
    [
      [0, 9_000],
      [9_000, 3],
    ],
  )
})

test('[P42] the output of a call that is over, or of a run that was cut off, is told to nobody who comes later', () => {
  const live = createLive()
  live.watch({ type: 'tool_output', ...ids, call_id: 'over', text: 'x' })
  live.watch({ type: 'tool_output', ...ids, call_id: 'cut', text: 'x' })

  live.watch({ type: 'tool_result', ...ids, call_id: 'over', tool: 'execute_command', outcome: 'ok', details: {}, output: 'x' })
  const between = heardBy(live)
  live.watch({ type: 'result', ...ids, status: 'stopped', text: '', exit_code: 130, turns: 1, usage: noUsage })

  assert.deepEqual([between, heardBy(live)], [['cut'], []])
})

test('[P60] why a model is asked again is told, also to who comes late, until it speaks or is done', () => {
  const live = createLive()
  const [early, late]: [Delta[], Delta[]] = [[], []]
  live.hear((delta) => early.push(delta))
  live.watch({ type: 'delta', ...ids, text: 'half' })
  live.watch({ type: 'error', ...ids, code: 'provider_failed', message: 'Busy.', retryable: true })

  live.hear((delta) => late.push(delta))
  live.watch({ type: 'delta', ...ids, text: 'whole' })
  live.watch({ type: 'error', ...ids, code: 'provider_failed', message: 'Busy again.', retryable: true })
  live.watch({ type: 'tool_use', ...ids, call_id: 'c', tool: 'read_file', input: {} })

  assert.deepEqual(told(late), [
    [0, '', 'Busy.'],
    [0, 'whole', undefined],
    [0, '', 'Busy again.'],
    [0, '', undefined],
  ])
  assert.deepEqual(told(early), [[0, 'half', undefined], ...told(late)])
})

test('[A120] what a model is waited for is told, also to who comes late, and takes back nothing it said', () => {
  const live = createLive()
  const [early, late]: [Delta[], Delta[]] = [[], []]
  live.hear((delta) => early.push(delta))
  live.watch({ type: 'delta', ...ids, text: 'half' })
  live.watch({ type: 'notice', ...ids, message: 'Silent for 10 s.' })

  live.hear((delta) => late.push(delta))
  live.watch({ type: 'delta', ...ids, text: 'whole' })

  assert.deepEqual(told(early), [
    [0, 'half', undefined],
    [4, '', 'Silent for 10 s.'],
    [4, 'whole', undefined],
  ])
  assert.deepEqual(told(late), [
    [0, 'half', 'Silent for 10 s.'],
    [4, 'whole', undefined],
  ])
})

function told(heard: readonly Delta[]) {
  return heard.map(({ from, text, held_up }) => [from, text, held_up])
}

/** The calls a newcomer is told of. */
function heardBy(live: ReturnType<typeof createLive>): (string | null)[] {
  const heard: (string | null)[] = []
  live.hear(({ call_id }) => heard.push(call_id))()
  return heard
}
