import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainGround } from '../agent/test-agent.ts'
import type { LimitsChange } from '../domain/run.ts'
import { each } from '../domain/test-each.ts'
import { configureChat } from './configure.ts'
import { answerInChat } from './continue.ts'
import { chatNeeds } from './needs.ts'
import { openChatContext } from './context.ts'
import { testStage, type TestStage } from './test-chat.ts'

const usage = { input_tokens: 500, output_tokens: 100, cost_microusd: 2_000 }
const look = { calls: [{ tool: 'list_directory', input: {} }], usage }

test('[P43] tokens count over the whole chat: the call beyond the limit is not made and a person is asked', async (t) => {
  const { context, chat, requests, agent, say } = await testStage(t, 'actor', [{ text: 'One.', usage }, look, { text: 'Three.', usage }])
  await configureChat.run(context, { chat: chat.id, limits: { max_tokens: 1_000 }, confirm: false })

  const first = await say('first')
  const second = await say('second')

  assert.deepEqual([first.run?.status, second.run?.status, requests.length], ['completed', 'waiting', 2])
  assert.equal(second.questions[0]?.content.question, 'This chat has used 1,200 of 1,000 tokens. Continue?')
  assert.deepEqual([second.messages.at(-1)?.type, second.needs_you], ['question', true])
  assert.deepEqual(each(await chatNeeds(agent.driver), 'kind'), ['question'])
})

test('[P43] going on raises the limit of the chat and carries on where it stopped, also in another process', async (t) => {
  const scene = await atLimit(t, { max_cost_microusd: 2_000 }, [{ text: 'Done.', usage }])
  const another = openChatContext(plainGround(scene.agent))

  await answerInChat.run(another, { chat: scene.chat.id, question: scene.asked, value: 'go_on' })
  await another.playing.get(scene.chat.id)?.done
  const { run, config, messages, usage: used } = await scene.view()

  assert.deepEqual([run?.status, config.limits.max_cost_microusd, used.cost_microusd], ['completed', 4_000, 4_000])
  assert.equal(messages.at(-1)?.type, 'text')
})

test('[P43] a number in own words is the new limit, anything else is refused and the question still waits', async (t) => {
  const scene = await atLimit(t, { max_tokens: 600 }, [{ text: 'Done.', usage }])

  for (const text of ['as much as you like', 'no, stop, 3 are enough', '9'.repeat(400)])
    await assert.rejects(answerInChat.run(scene.context, { chat: scene.chat.id, question: scene.asked, text }), {
      code: 'bad_input',
      message: /is not a limit; give a number of tokens/,
    })
  assert.equal((await scene.view()).questions[0]?.status, 'pending')
  await answerInChat.run(scene.context, { chat: scene.chat.id, question: scene.asked, text: '5,000 tokens' })
  const { run, config } = await scene.quiet()

  assert.deepEqual([run?.status, config.limits.max_tokens], ['completed', 5_000])
})

test('[P43] stopping there ends the turn, keeps everything and leaves the limit', async (t) => {
  const scene = await atLimit(t, { max_tokens: 600 }, [])

  await answerInChat.run(scene.context, { chat: scene.chat.id, question: scene.asked, value: 'stop' })
  const { run, config, questions } = await scene.quiet()

  assert.deepEqual([run?.status, config.limits.max_tokens, questions[0]?.status], ['stopped', 600, 'answered'])
})

test('[P43] a limit that cannot be kept, because the price is unknown, can only be lifted', async (t) => {
  const scene = await atLimit(t, { max_cost_microusd: 1_000_000 }, [{ text: 'Done.' }], { input_tokens: 5, output_tokens: 5 })

  await answerInChat.run(scene.context, { chat: scene.chat.id, question: scene.asked, value: 'go_on' })
  const { run, config, questions } = await scene.quiet()

  assert.match(questions[0]?.content.question ?? '', /The price of scripted\/test is unknown/)
  assert.deepEqual([run?.status, config.limits.max_cost_microusd], ['completed', null])
})

test('[P43] turns are counted for each request, and asked for in the same way', async (t) => {
  const scene = await atLimit(t, { max_turns: 1 }, [{ text: 'Done.', usage }])

  await answerInChat.run(scene.context, { chat: scene.chat.id, question: scene.asked, value: 'go_on' })
  const { run, config } = await scene.quiet()

  assert.deepEqual([run?.status, run?.turns, config.limits.max_turns], ['completed', 2, 2])
})

test('[P44] what an agent asks that a Commander delegated to stands in the chat, waits in the one list, and is answered there', async (t) => {
  const question = { type: 'question', question: 'Which port?', severity: 'minor', options: [{ label: '80', value: '80' }] }
  const scene = await testStage(t, 'commander', [
    { calls: [{ tool: 'delegate', input: { role: 'actor', task: 'open a port' } }] },
    { text: JSON.stringify(question) },
    { text: 'Port 80 is open.' },
    { text: 'All done.' },
  ])

  const waiting = await scene.say('have a port opened')
  const needs = await chatNeeds(scene.agent.driver)
  await answerInChat.run(scene.context, { chat: scene.chat.id, question: waiting.run?.question_id ?? '', value: '80' })
  const { run, messages } = await scene.quiet()

  assert.deepEqual(
    waiting.questions.map(({ content, status }) => [content.question, status]),
    [['Which port?', 'pending']],
  )
  assert.deepEqual([waiting.needs_you, needs[0]?.title, needs[0]?.link], [true, 'Which port?', `/chat/${scene.chat.id}`])
  assert.equal(run?.status, 'completed')
  assert.equal(messages.at(-1)?.type, 'text')
})

/** A chat whose first turn has used its limit up; `asked` is the question that waits. */
async function atLimit(
  t: Parameters<typeof testStage>[0],
  limits: LimitsChange,
  then: Parameters<typeof testStage>[2],
  used: object = usage,
): Promise<TestStage & { asked: string }> {
  const scene = await testStage(t, 'actor', [{ ...look, usage: used }, ...then])
  await configureChat.run(scene.context, { chat: scene.chat.id, limits, confirm: false })
  const { questions } = await scene.say('go')
  return { ...scene, asked: questions[0]?.id ?? '' }
}
