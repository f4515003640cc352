import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ToolCall, ToolOutcome } from '../../domain/entry.ts'
import type { Problem } from '../../domain/problem.ts'
import type { Run } from '../../domain/run.ts'
import { assistant, tool } from '../../providers/test-entries.ts'
import type { Stored } from '../../store/collection.ts'
import { entries, runs } from '../../store/run-tables.ts'
import { allTools } from '../../tools/all.ts'
import { aTool } from '../../tools/test-gate.ts'
import type { AgentContext } from '../agent.ts'
import { holderId } from '../../sandbox/process/holder.ts'
import { playRun } from '../loop.ts'
import { resumeRun } from './resume.ts'
import { goneHolder, outcomesOf, testAgent, type TestAgent } from '../test-agent.ts'

const never = new AbortController().signal
const namingHolder = (error: Problem) => error.code === 'busy' && error.message.includes(holderId())

test('[A40] a call that was answered before the process died is not run again', async (t) => {
  let ran = 0
  const scene = await testAgent(t, [{ text: 'Done.' }], { tools: [counter(() => (ran += 1))] })
  const held = await scene.start()
  const call = { id: 'c1', tool: 'count', input: {} }
  await killedAfter(scene.agent, held, [call], ['ok'])

  const run = await scene.resume(held.item.id)

  assert.deepEqual([run.status, ran], ['completed', 0])
  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'assistant', 'count ok', 'assistant'])
})

test('[G23] a command that was cut off is reported to the model as interrupted and not run again', async (t) => {
  let ran = 0
  const scene = await testAgent(t, [{ text: 'I look at what is left.', expect: { tool_output: 'cut off' } }], {
    tools: [counter(() => (ran += 1))],
  })
  const held = await scene.start()
  await killedAfter(scene.agent, held, [{ id: 'c1', tool: 'count', input: {} }], ['running'])

  const run = await scene.resume(held.item.id)

  assert.equal(ran, 0)
  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'assistant', 'count interrupted', 'assistant'])
})

test('[G22] a file change that had happened before the process died is not made again', async (t) => {
  const scene = await testAgent(t, [{ calls: [{ id: 'c1', tool: 'update_file', input: add }] }, { text: 'Done.' }], {})
  await writeFile(join(scene.workspace, 'a.txt'), 'one\n')
  const frozen = await freezeAtStart(scene)

  await killed(scene.agent, frozen)
  await scene.resume(frozen.item.id)

  assert.equal(await readFile(join(scene.workspace, 'a.txt'), 'utf8'), 'one\ntwo\n')
})

test('[A43] a run that died before its first reply is asked again from where it was', async (t) => {
  const scene = await testAgent(t, [{ text: 'Done.', expect: { user: 'do it' } }])
  const held = await scene.start()
  await killed(scene.agent, held)

  const run = await scene.resume(held.item.id)

  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'assistant'])
})

test('[A44] a thread that a living process works on is refused to another, by the name of the holder', async (t) => {
  const scene = await testAgent(t, [])
  const held = await scene.start({ thread_id: 'thread_1' })

  await assert.rejects(scene.start({ thread_id: 'thread_1' }), namingHolder)
  await assert.rejects(resumeRun(scene.agent, held.item.id), namingHolder)
})

test('[A44] of many that start a run on one thread at once exactly one does', async (t) => {
  const scene = await testAgent(t, [])

  const starts = await Promise.allSettled(Array.from({ length: 8 }, () => scene.start({ thread_id: 'thread_1' })))

  assert.equal(starts.filter((start) => start.status === 'fulfilled').length, 1)
})

test('[A45] a run whose lease has passed may be taken over, and what its old holder still writes is refused', async (t) => {
  const hangs = Promise.withResolvers<void>()
  const scene = await testAgent(t, [async () => (await hangs.promise, { text: 'Too late.' }), { text: 'Done.' }])
  const held = await scene.start()
  const ghost = assert.rejects(playRun(scene.agent, held, never), { code: 'busy' })
  await runs.replace(scene.agent.driver, held, { ...held.item, lease_expires: '2020-01-01T00:00:00.000Z' })

  const run = await scene.resume(held.item.id)
  hangs.resolve()

  await ghost
  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'assistant'])
})

test('[A45] what a tool answers after another process has taken its run over is not stored', async (t) => {
  const [begun, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = aTool('slow', async () => {
    begun.resolve()
    await late.promise
    return { output: 'late' }
  })
  const scene = await testAgent(t, [{ calls: [{ tool: 'slow', input: {} }] }, { text: 'Done.' }], { tools: [slow] })
  const held = await scene.start()
  const ghost = assert.rejects(playRun(scene.agent, held, never), { code: 'busy' })
  await begun.promise
  const { driver } = scene.agent
  const now = await runs.get(driver, held.item.id)
  await runs.replace(driver, now, { ...now.item, lease_expires: '2020-01-01T00:00:00.000Z' })

  await resumeRun(scene.agent, held.item.id)
  late.resolve()

  await ghost
  assert.deepEqual(outcomesOf(await scene.thread(held.item)), ['user', 'assistant'])
})

test('[A46] a new request on a thread closes what an unfinished run left, so that the thread stays whole', async (t) => {
  const scene = await testAgent(t, [{ text: 'Done.' }])
  const held = await scene.start({ thread_id: 'thread_1' })
  const calls = [
    { id: 'c1', tool: 'count', input: {} },
    { id: 'c2', tool: 'count', input: {} },
  ]
  await killedAfter(scene.agent, held, calls, ['running'])

  const run = await scene.play({ thread_id: 'thread_1', prompt: 'never mind' })

  assert.equal((await runs.get(scene.agent.driver, held.item.id)).item.status, 'stopped')
  assert.deepEqual(outcomesOf(await scene.thread(run)), [
    'user',
    'assistant',
    'count interrupted',
    'count interrupted',
    'note error',
    'user',
    'assistant',
  ])
})

const add = { path: 'a.txt', old_text: 'one\n', new_text: 'one\ntwo\n' }

/** Says each time that it runs. */
function counter(ran: () => void) {
  const run = async () => {
    ran()
    return { output: 'counted' }
  }
  return aTool('count', run, ['execute_commands'])
}

/** Plays until the change is recorded as running and made, and then goes no further: what a kill at that instant leaves. */
async function freezeAtStart({ agent, start }: TestAgent): Promise<Stored<Run>> {
  const held = await start()
  const made = Promise.withResolvers<void>()
  const driver: AgentContext['driver'] = {
    ...agent.driver,
    transaction: async (work) => {
      const [open] = await entries.list(agent.driver, { where: { thread_id: held.item.thread_id }, order: ['-number'], limit: 1 })
      if (open?.item.from !== 'tool' || open.item.outcome !== 'running') return agent.driver.transaction(work)
      made.resolve()
      return new Promise(() => {}) // the answer never reaches the store
    },
  }
  void playRun({ ...agent, driver, tools: allTools }, held, never)
  await made.promise
  return runs.get(agent.driver, held.item.id)
}

/** The store as a process leaves it that is killed while it answers the calls of a reply. */
async function killedAfter(agent: AgentContext, held: Stored<Run>, calls: ToolCall[], answers: ToolOutcome[]): Promise<void> {
  const { id: run_id, thread_id } = held.item
  const said = [
    assistant('', calls),
    ...answers.map((outcome, at) => ({
      ...tool(calls[at] ?? { id: '', tool: '', input: {} }, 'counted', outcome),
      details: { previewed: {}, approval: null },
    })),
  ]
  for (const [at, entry] of said.entries()) await entries.add(agent.driver, { ...entry, thread_id, run_id, number: at + 1 })
  await killed(agent, held)
}

/** As if the process that held the run were gone: its name stays, nobody answers to it. */
async function killed(agent: AgentContext, held: Stored<Run>): Promise<void> {
  await runs.replace(agent.driver, await runs.get(agent.driver, held.item.id), { ...held.item, holder: goneHolder() })
}
