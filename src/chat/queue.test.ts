import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../domain/problem.ts'
import { configureChat } from './configure.ts'
import { executePlan } from './execute-plan.ts'
import { withdrawMessage } from './queue.ts'
import { sendMessage } from './send.ts'
import { aPlan, testStage, type TestStage } from './test-chat.ts'

const look = { calls: [{ tool: 'list_directory', input: {} }] }

test('[P46] what is said while a turn runs waits, and the model reads it with its next request', async (t) => {
  const scene: TestStage = await testStage(t, 'actor', [saying(() => scene, 'in blue', look), { text: 'Blue it is.' }])

  const { messages, run } = await scene.say('paint it')

  assert.deepEqual(textsOf(scene.requests[0]), ['paint it'])
  assert.deepEqual(textsOf(scene.requests[1]), ['paint it', 'in blue'])
  assert.equal(run?.turns, 2)
  assert.deepEqual(
    messages.map((message) => ('text' in message ? message.text : message.type)),
    ['paint it', 'tool_call', 'tool_result', 'in blue', 'Blue it is.'],
  )
})

test('[P46] it is shown as queued until then, and can be taken back', async (t) => {
  const seen: unknown[] = []
  const scene: TestStage = await testStage(t, 'actor', [
    async () => {
      await sendMessage.run(scene.context, { chat: scene.chat.id, text: 'in blue' })
      const said = (await scene.view()).messages.at(-1)
      seen.push(said?.type === 'text' && [said.text, said.queued])
      await withdrawMessage.run(scene.context, { chat: scene.chat.id, message: said?.id ?? '' })
      return look
    },
    { text: 'Done.' },
  ])

  const { messages } = await scene.say('paint it')

  assert.deepEqual(seen, [['in blue', true]])
  assert.deepEqual(textsOf(scene.requests[1]), ['paint it'])
  await assert.rejects(withdrawMessage.run(scene.context, { chat: scene.chat.id, message: messages[0]?.id ?? '' }), { code: 'conflict' })
})

test('[P46] what comes too late for a turn starts the next one', async (t) => {
  const scene: TestStage = await testStage(t, 'actor', [saying(() => scene, 'and in blue', { text: 'Done.' }), { text: 'Now in blue.' }])

  const { messages, run } = await scene.say('paint it')

  assert.deepEqual(textsOf(scene.requests[1]), ['paint it', 'and in blue'])
  assert.deepEqual([run?.status, run?.turns], ['completed', 1])
  assert.deepEqual(
    messages.map((message) => 'text' in message && message.text),
    ['paint it', 'Done.', 'and in blue', 'Now in blue.'],
  )
})

test('[P46] what was said after a switch is read by the new role, never by the one still at work', async (t) => {
  const scene: TestStage = await testStage(t, 'planner', [
    async () => {
      await configureChat.run(scene.context, { chat: scene.chat.id, agent_role: 'actor', confirm: false })
      await sendMessage.run(scene.context, { chat: scene.chat.id, text: 'now do it' })
      return look
    },
    { text: 'I looked around.' },
    { text: 'I do it.' },
  ])

  const { run } = await scene.say('look around')

  assert.deepEqual(textsOf(scene.requests[1]), ['look around'])
  assert.deepEqual([run?.agent_role, textsOf(scene.requests[2])], ['actor', ['look around', 'now do it']])
})

test('[P46] a turn that fails leaves it waiting, and the next one reads it before what was said later', async (t) => {
  const scene: TestStage = await testStage(t, 'actor', [
    async () => {
      await sendMessage.run(scene.context, { chat: scene.chat.id, text: 'in blue' })
      throw new Problem('provider_refused', 'no')
    },
    { text: 'Blue it is.' },
  ])
  const failed = await scene.say('paint it')

  await scene.say('go on')

  assert.ok(failed.messages.some((message) => message.type === 'text' && message.queued === true))
  assert.deepEqual(textsOf(scene.requests.at(-1)), ['paint it', 'in blue', 'go on'])
})

/** A reply during which the person says something. */
function saying<Reply>(scene: () => TestStage, text: string, reply: Reply): () => Promise<Reply> {
  return async () => {
    await sendMessage.run(scene().context, { chat: scene().chat.id, text })
    return reply
  }
}

function textsOf(request: TestStage['requests'][number] | undefined): string[] {
  return request?.entries.flatMap((entry) => (entry.from === 'user' ? [entry.text] : [])) ?? []
}

test('[P45] a setting that is changed at the very moment something is said, or a plan executed, hinders neither', async (t) => {
  const { context, chat, quiet, view } = await testStage(t, 'planner', [{ text: JSON.stringify(aPlan) }, { text: 'Done.' }])
  let title = 'First'
  const busy = {
    ...context,
    at: async (workspace: string) => {
      await configureChat.run(context, { chat: chat.id, title, confirm: false })
      return context.at(workspace)
    },
  }

  await sendMessage.run(busy, { chat: chat.id, text: 'plan it' })
  const [plan] = (await quiet()).plans
  title = 'Second'
  await executePlan.run(busy, { chat: chat.id, plan: plan?.id ?? '', hash: plan?.hash ?? '' })
  await quiet()

  const { agent_role, run, title: kept } = await view()
  assert.deepEqual([agent_role, run?.status, kept], ['actor', 'completed', 'Second'])
})
