import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Problem } from '../domain/problem.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { openTestStore } from '../store/test-store.ts'
import { openStore } from '../store/open.ts'
import { workflowRuns } from '../store/tables.ts'
import { advanceRun } from './advance.ts'
import type { CatalogueEntry } from './files/catalogue.ts'
import type { RunCall } from './handle.ts'
import { listRuns, runView } from './runs.ts'
import { startWorkflowRun } from './start.ts'
import { anEntry } from './play/test-play.ts'

const now = new Date('2026-01-01T00:00:00Z')
const role = 'PLANTED-ROLE act as nobody'

test('[W27] a run hands out one step after the other and ends complete', async (t) => {
  const store = await openTestStore(t)

  const first = await startWorkflowRun(store, threeSteps(), {}, now)
  const second = await advanceRun(store, { run: first.run, output: 'did one' }, now)
  const last = await advanceRun(store, { run: second.run, output: 'did two', context: { more: false } }, now)

  assert.deepEqual([first.key, second.key, last.status], ['one', 'two', 'complete'])
  assert.deepEqual(
    [first, second, last].map(({ run }) => run.split('.')[1]),
    ['0', '1', '2'],
  )
})

test('[W10] a variable that leaves no step to do ends the run, and one that is sent later changes nothing', async (t) => {
  const { store, advance } = await aRun(t)
  const second = await advance({ output: 'did one' })
  const blocked = await advance({ run: second.run, output: 'did two' })

  const ended = await advance({ run: blocked.run, context: { more: false } })
  const late = await advance({ run: blocked.run, context: { more: false } })

  assert.deepEqual([blocked.status, ended.status, late.status], ['blocked', 'complete', 'complete'])
  assert.equal((await listRuns(store))[0]?.status, 'completed')
})

test('[W28] the same call again, its variables in whichever order, gives the same answer, also after the run has moved on', async (t) => {
  const { store, advance } = await aRun(t, threeSteps(), { more: true })
  const call = { output: 'did one', context: { found: 3, seen: { a: 1, b: 2 } } }

  const answer = await advance(call)
  const again = await advance(call)
  const turned = await advance({ ...call, context: { seen: { b: 2, a: 1 }, found: 3 } })
  await advance({ run: answer.run, output: 'did two', context: { found: 9 } })
  const later = await advance(call)

  for (const other of [again, turned, later]) assert.deepEqual(other, answer)
  assert.equal((await listRuns(store))[0]?.done, 2)
})

test('[W28] a handle that was used with another output is refused with the current one', async (t) => {
  const { advance } = await aRun(t)
  const answer = await advance({ output: 'did one' })

  const refused = await advance({ output: 'did something else' }).catch((error: unknown) => error)

  assert.ok(refused instanceof Problem)
  assert.equal(refused.code, 'conflict')
  assert.equal(refused.details['closest'], answer.run)
})

test('[W28] of many clients that advance one run at once exactly one output is taken', async (t) => {
  const { store, advance } = await aRun(t)

  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => advance({ output: `client ${at}` })))

  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await listRuns(store))[0]?.done, 1)
})

test('[W27] handles cannot be guessed, and one that is none is refused', async (t) => {
  const store = await openTestStore(t)
  const handles = await Promise.all(Array.from({ length: 20 }, () => startWorkflowRun(store, threeSteps(), {}, now)))

  const forged = ['', 'wf_1.0', `wf_${'A'.repeat(24)}.0`, `${handles[0]?.run}9`]
  const refusals = await Promise.all(forged.map((run) => advanceRun(store, { run, output: 'x' }, now).catch((error: unknown) => error)))

  assert.equal(new Set(handles.map(({ run }) => run)).size, 20)
  for (const { run } of handles) assert.match(run, /^wf_[A-Za-z0-9_-]{24}\.0$/)
  for (const refusal of refusals)
    assert.ok(refusal instanceof Problem && ['bad_input', 'not_found'].includes(refusal.code), String(refusal))
})

test('[W29] a run outlives the process and an edit of its workflow', async (t) => {
  const address = `sqlite:${join(await testFolder(t), 'troupe.db')}`
  const before = await openStore(address)
  const { run } = await startWorkflowRun(before, threeSteps(), {}, now)
  await startWorkflowRun(before, anEntry({ steps: [{ id: 'changed', title: 'Changed', prompt: 'Another text.' }] }), {}, now)
  await before.close()

  const after = await openStore(address)
  const answer = await advanceRun(after, { run, output: 'did one' }, now)
  await after.close()

  assert.equal(answer.key, 'two')
})

test('[W18] an output that breaks the criteria is sent back and the run stays where it is', async (t) => {
  const validationCriteria = [{ type: 'contains', value: 'evidence', message: 'Show evidence.' }]
  const { run, advance } = await aRun(t, anEntry({ steps: [{ id: 'one', title: 'One', prompt: 'Do', validationCriteria }] }))

  const refused = await advance({ output: 'done' })
  const taken = await advance({ run: refused.run, output: 'evidence: 1' })

  assert.deepEqual([refused.status, refused.issues, refused.run], ['invalid', ['Show evidence.'], run])
  assert.equal(taken.status, 'complete')
})

test('[W7] a blocked run names the variable and goes on once it is sent', async (t) => {
  const { advance } = await aRun(t)
  const second = await advance({ output: 'did one' })
  const blocked = await advance({ run: second.run, output: 'did two' })

  const open = await advance({ run: blocked.run, context: { more: true } })

  assert.deepEqual([blocked.status, blocked.missing], ['blocked', ['more']])
  assert.equal(open.key, 'three')
})

test('[W30] a step that needs confirmation is not done until a person gave the code for exactly this output', async (t) => {
  const steps = [{ id: 'one', title: 'One', prompt: 'Do', agentRole: role, requireConfirmation: true }]
  const { store, run, advance } = await aRun(t, anEntry({ steps }))
  const codeShown = async () => (await runView(store, run.split('.')[0] ?? '')).confirmation?.code

  const asked = await advance({ output: 'plan A' })
  const code = await codeShown()
  const guessed = await advance({ output: 'plan A', confirmation: 'AAAAAAAA' })
  const spent = await advance({ output: 'plan A', confirmation: code })
  const fresh = await codeShown()
  const swapped = await advance({ output: 'plan B', confirmation: fresh })
  const forB = await codeShown()
  const given = await advance({ output: 'plan B', confirmation: forB })

  assert.deepEqual(
    [asked, guessed, spent, swapped, given].map(({ status }) => status),
    ['confirmation_required', 'confirmation_required', 'confirmation_required', 'confirmation_required', 'complete'],
  )
  assert.ok(code && !JSON.stringify([asked, guessed, spent, swapped]).includes(code))
})

test('[W30] a confirmation that depends on a condition is asked for when it holds and when nobody can tell', async (t) => {
  const store = await openTestStore(t)
  const steps = [{ id: 'one', title: 'One', prompt: 'Do', requireConfirmation: { var: 'risky' } }]
  const outcome = async (context: Record<string, unknown>) => {
    const { run } = await startWorkflowRun(store, anEntry({ steps }), context, now)
    return (await advanceRun(store, { run, output: 'done' }, now)).status
  }

  assert.deepEqual(
    [await outcome({ risky: false }), await outcome({ risky: true }), await outcome({})],
    ['complete', 'confirmation_required', 'confirmation_required'],
  )
})

test('[W30] what a person was asked stays asked, whatever the agent then says of the variable that asked for them', async (t) => {
  const steps = [{ id: 'one', title: 'One', prompt: 'Do', requireConfirmation: { var: 'risky' } }]
  const { advance } = await aRun(t, anEntry({ steps }), { risky: true })

  const asked = await advance({ output: 'done' })
  const lowered = await advance({ output: 'done', context: { risky: false } })

  assert.deepEqual([asked.status, lowered.status], ['confirmation_required', 'confirmation_required'])
})

test('[W30] a loop that needs confirmation asks for it at each of its steps, and nowhere else', async (t) => {
  const loop = {
    id: 'rounds',
    type: 'loop' as const,
    title: 'Rounds',
    requireConfirmation: { var: 'currentIteration', equals: 2 },
    loop: { type: 'for' as const, count: 2, maxIterations: 5 },
    body: [{ id: 'inner', title: 'Inner', prompt: 'Do' }],
  }
  const { advance } = await aRun(t, anEntry({ steps: [loop, { id: 'last', title: 'Last', prompt: 'End' }] }))

  const second = await advance({ output: 'one' })
  const asked = await advance({ run: second.run, output: 'two' })
  const last = await advance({ run: asked.run, output: 'two', confirmed_by: 'user' })
  const done = await advance({ run: last.run, output: 'end' })

  assert.deepEqual([second.key, asked.status, last.key, done.status], ['rounds@2::inner', 'confirmation_required', 'last', 'complete'])
})

test('[W13] what people see of runs never holds a role text', async (t) => {
  const { store, run, advance } = await aRun(t)
  await advance({ output: 'did one' })

  const seen = JSON.stringify([await listRuns(store), await runView(store, run.split('.')[0] ?? '')])

  assert.ok(seen.includes('Do one.') || seen.includes('Do two.'))
  assert.ok(!seen.includes('PLANTED'))
  assert.ok(!JSON.stringify(await workflowRuns.list(store)).includes('PLANTED'))
})

test('[W26] context beyond 256 KiB is refused with its size, at the start and on the way', async (t) => {
  const store = await openTestStore(t)
  const big = { text: 'x'.repeat(256 * 1024) }
  const { run } = await startWorkflowRun(store, threeSteps(), { text: 'x'.repeat(255 * 1024) }, now)

  const refusals = await Promise.all([
    startWorkflowRun(store, threeSteps(), big, now).catch((error: unknown) => error),
    advanceRun(store, { run, output: 'x', context: { more: 'x'.repeat(2048) } }, now).catch((error: unknown) => error),
    startWorkflowRun(store, threeSteps(), { deep: JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) }, now).catch(
      (error: unknown) => error,
    ),
  ])

  for (const refusal of refusals) assert.ok(refusal instanceof Problem && refusal.code === 'too_large', String(refusal))
})

/** A run of a workflow in a store of its own, and the way to go on with it. */
async function aRun(t: TestContext, entry = threeSteps(), context: Record<string, unknown> = {}) {
  const store = await openTestStore(t)
  const { run } = await startWorkflowRun(store, entry, context, now)
  return { store, run, advance: (call: Partial<RunCall>) => advanceRun(store, { run, ...call }, now) }
}

function threeSteps(): CatalogueEntry {
  return anEntry({
    steps: [
      { id: 'one', title: 'One', prompt: 'Do one.', agentRole: role },
      { id: 'two', title: 'Two', prompt: 'Do two.', agentRole: role, guidance: ['PLANTED hint'] },
      { id: 'three', title: 'Three', prompt: 'Do three.', runCondition: { var: 'more' } },
    ],
  })
}
