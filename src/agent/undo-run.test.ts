import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testCheckpoints } from '../checkpoints/test-settings.ts'
import { perform } from '../domain/operation.ts'
import { testAgent } from './test-agent.ts'
import { runFileOperations } from './undo-run.ts'

const [list, undo, restore, changes] = runFileOperations

test('[U21] what a run changed without a chat is listed, shown, undone and brought back like that of a chat', async (t) => {
  const checkpoints = await testCheckpoints(t)
  const scene = await testAgent(t, [creating('a.txt'), { text: 'Done.' }, creating('b.txt'), { text: 'Done.' }], { checkpoints })
  const context = { driver: scene.agent.driver, checkpointsIn: async () => checkpoints, now: scene.agent.now }
  const first = await scene.play()
  const second = await scene.play({ thread_id: first.thread_id })
  const there = () => ['a.txt', 'b.txt'].map((name) => existsSync(join(scene.workspace, name)))
  const { files } = await perform(changes, context, { run: second.id })

  await perform(undo, context, { run: second.id })
  const once = there()
  const { checkpoint } = await perform(undo, context, { run: second.id })
  const twice = there()
  await perform(restore, context, { run: first.id, checkpoint })

  assert.deepEqual(files.map(({ path }) => path).toSorted(), ['a.txt', 'b.txt'])
  assert.deepEqual(
    [once, twice, there()],
    [
      [true, false],
      [false, false],
      [true, false],
    ],
  )
  assert.equal((await perform(list, context, { run: first.id })).checkpoints.length, 5)
})

test('[U22] what one turn changed is shown as it was then, whatever became of it since', async (t) => {
  const checkpoints = await testCheckpoints(t)
  const replies = [
    creating('a.txt'),
    { text: 'Done.' },
    writing('one', 'two'),
    { text: 'Done.' },
    writing('two', 'three'),
    { text: 'Done.' },
  ]
  const scene = await testAgent(t, replies, { checkpoints })
  const context = { driver: scene.agent.driver, checkpointsIn: async () => checkpoints, now: scene.agent.now }
  const first = await scene.play()
  for (let at = 0; at < 2; at++) await scene.play({ thread_id: first.thread_id })
  const turns = (await perform(list, context, { run: first.id })).checkpoints.map(({ number }) => number)
  const lines = async (input: object) =>
    (await perform(changes, context, { run: first.id, ...input })).files.flatMap(({ diff }) => diff.match(/^[+-]\w.*$/gm) ?? [])

  const each = [await lines({ turn: turns[0] }), await lines({ turn: turns[1] }), await lines({ turn: turns[2] })]

  assert.deepEqual(each, [['+one'], ['-one', '+two'], ['-two', '+three']])
  assert.deepEqual(await lines({ since: turns[1] }), ['-one', '+three'])
  await assert.rejects(lines({ turn: 99 }), { code: 'not_found' })
  await assert.rejects(lines({ turn: 1, since: 1 }), { code: 'bad_input' })
})

test('[U21] a file that was changed since is not overwritten, and what belongs to a chat or a job is sent there', async (t) => {
  const checkpoints = await testCheckpoints(t)
  const scene = await testAgent(
    t,
    [
      { calls: [{ tool: 'create_file', input: { path: 'a.txt', content: 'one' } }] },
      { text: 'Done.' },
      { text: 'Hello.' },
      { text: 'Hello.' },
    ],
    { checkpoints },
  )
  const context = { driver: scene.agent.driver, checkpointsIn: async () => checkpoints, now: scene.agent.now }
  const run = await scene.play()
  const chat = await scene.play({ thread_id: 'chat_1' })
  const job = await scene.play({ thread_id: 'job_greet_chat' })
  writeFileSync(join(scene.workspace, 'a.txt'), 'mine')

  await assert.rejects(perform(undo, context, { run: run.id }), { code: 'conflict' })
  await assert.rejects(perform(undo, context, { run: chat.id }), { code: 'bad_input' })
  await assert.rejects(perform(undo, context, { run: job.id }), { code: 'bad_input' })
})

function creating(path: string) {
  return { calls: [{ tool: 'create_file', input: { path, content: 'one' } }] }
}

function writing(old_text: string, new_text: string) {
  return { calls: [{ tool: 'update_file', input: { path: 'a.txt', old_text, new_text } }] }
}
