import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Activity, TaskEvent, type BoardEvent, type SaidOfTask } from './event.ts'

test('[B236] what happens on a board is told under a name of the table, with the fields of that name', () => {
  const told: BoardEvent[] = [
    { agent: 'coder-1', action: 'claimed', task: 'task-1', detail: 'iteration 1' },
    { agent: 'supervisor', action: 'base_conflict', detail: 'main', files: ['a.ts'] },
    { time: '2026-01-01T00:00:00.000Z', agent: 'ann', event: 'blocked', reason: 'no spec' },
  ]
  const wrong: unknown[] = [
    // @ts-expect-error a name that is not in the table
    { agent: 'coder-1', action: 'clamed', task: 'task-1', detail: 'iteration 1' } satisfies BoardEvent,
    // @ts-expect-error a field that this event has to tell is missing
    { agent: 'supervisor', action: 'base_conflict', detail: 'main' } satisfies Activity,
    // @ts-expect-error a field of another event
    { agent: 'coder-1', action: 'claimed', detail: '', files: [] } satisfies Activity,
    // @ts-expect-error the history tells why
    { event: 'blocked' } satisfies SaidOfTask,
    // @ts-expect-error a commit is a text
    { event: 'approved', about: { commit: 1 } } satisfies SaidOfTask,
  ]

  const read = told.map((one) => ('action' in one ? Activity : TaskEvent).safeParse(one).success)

  assert.deepEqual(read, [true, true, true])
  assert.deepEqual([wrong.length, Activity.safeParse(wrong[0]).success, TaskEvent.safeParse(wrong[4]).success], [5, false, false])
})
