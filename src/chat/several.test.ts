import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { answerInChat } from './continue.ts'
import { editPlan } from './edit-plan.ts'
import { executePlan } from './execute-plan.ts'
import { aPlan, aQuestion, testStage } from './test-chat.ts'

const safe = { ...aPlan, goal: 'Option A, the safe one' }
const risky = { ...aPlan, goal: 'Option B, the risky one' }
const both = `First:\n\`\`\`json\n${JSON.stringify(safe)}\n\`\`\`\nSecond: ${JSON.stringify(risky)}\nI recommend the first.`

test('[P68] each plan of a reply is a record and a message, with the words around it in order', async (t) => {
  const { say } = await testStage(t, 'planner', [{ text: both }])

  const { plans, messages, needs_you } = await say('what could be done?')

  assert.deepEqual(each(plans, 'status'), ['draft', 'draft'])
  assert.deepEqual(each(messages, 'type'), ['text', 'plan', 'plan', 'text'])
  const words = messages.map((message) => ('text' in message ? message.text : ''))
  assert.match(words[1] ?? '', /^First:[^]*safe/)
  assert.match(words[2] ?? '', /^\nSecond:[^]*risky/)
  assert.deepEqual([words[3], needs_you], ['\nI recommend the first.', true])
})

test('[P68] executing one plan of a reply carries out that one, and the others can no longer be executed', async (t) => {
  const { context, chat, say, quiet, requests } = await testStage(t, 'planner', [{ text: both }, { text: 'Done.' }])
  const [first, second] = (await say('what could be done?')).plans
  assert.ok(first && second)

  await executePlan.run(context, { chat: chat.id, plan: first.id, hash: first.hash })
  await assert.rejects(executePlan.run(context, { chat: chat.id, plan: second.id, hash: second.hash }), { code: /move_refused|busy/ })

  const { plans } = await quiet()
  assert.deepEqual(each(plans, 'status'), ['executed', 'superseded'])
  assert.match(requests[1]?.system ?? '', /Option A, the safe one/)
  assert.doesNotMatch(requests[1]?.system ?? '', /Option B/)
})

test('[P68] plans that two calls of one reply hand in stand beside each other, and the next plan replaces both', async (t) => {
  const calls = [safe, risky].map((input) => ({ tool: 'submit_plan', input }))
  const { say } = await testStage(t, 'planner', [{ calls }, { text: JSON.stringify(aPlan) }])

  const offered = (await say('what could be done?')).plans
  const { plans } = await say('neither')

  assert.deepEqual(each(offered, 'status'), ['draft', 'draft'])
  assert.deepEqual(each(plans, 'status'), ['superseded', 'superseded', 'draft'])
})

test('[P68] editing one plan of a reply replaces that one and leaves the other to be chosen', async (t) => {
  const { context, chat, say, view } = await testStage(t, 'planner', [{ text: both }])
  const [first] = (await say('what could be done?')).plans

  const edited = await editPlan.run(context, { chat: chat.id, plan: first?.id ?? '', ...safe, goal: 'Mine' })

  assert.equal(edited.previous_id, first?.id)
  assert.deepEqual(each((await view()).plans, 'status'), ['superseded', 'draft', 'draft'])
})

test('[P69] each question of a reply waits on its own, and the run goes on once all are answered', async (t) => {
  const other = { ...aQuestion, question: 'Drop the table?' }
  const text = `${JSON.stringify(other)}\nand\n${JSON.stringify(aQuestion)}`
  const { context, chat, say, quiet, requests } = await testStage(t, 'actor', [{ text }, { text: 'Done.' }])
  const asked = await say('rename it')
  const [first, second] = asked.questions
  assert.deepEqual(each(asked.messages, 'type'), ['text', 'question', 'question'])

  await answerInChat.run(context, { chat: chat.id, question: second?.id ?? '', value: 'yes' })
  const between = await quiet()
  await answerInChat.run(context, { chat: chat.id, question: first?.id ?? '', value: 'no' })
  const after = await quiet()

  assert.deepEqual([between.run?.status, between.needs_you, requests.length], ['waiting', true, 2])
  assert.deepEqual([after.run?.status, after.needs_you], ['completed', false])
})
