import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { ChatMessage } from '../domain/chat.ts'
import { editPlan } from './edit-plan.ts'
import { aPlan, aQuestion, testStage } from './test-chat.ts'

const fenced = (json: string) => `\`\`\`json\n${json}\n\`\`\``
const plan = JSON.stringify(aPlan)
const question = JSON.stringify(aQuestion)

/** A reply, who gets it, and what the chat shows of it. */
// A reply that fills the context is summed up before the next: that is what the third reply of the script is for.
const shapes: readonly [name: string, role: string, text: string, type: ChatMessage['type']][] = [
  ['nothing', 'planner', '', 'text'],
  ['ten megabytes of braces', 'planner', '{'.repeat(10_000_000), 'text'],
  ['a brace for every brace', 'actor', '{'.repeat(200_000) + '}'.repeat(200_000), 'text'],
  ['wrong types', 'planner', '{"goal": 7, "steps": {"a": 1}}', 'text'],
  ['no steps', 'planner', '{"goal": "x", "steps": []}', 'text'],
  ['a step that is a word', 'planner', '{"goal": "x", "steps": ["do it"]}', 'plan'],
  ['nested fences', 'planner', `\`\`\`md\n${fenced(plan)}\n\`\`\``, 'plan'],
  ['an unlabelled fence', 'planner', `\`\`\`\n${plan}\n\`\`\``, 'plan'],
  ['braces in prose', 'planner', `Use {curly} braces, then {\n${plan}`, 'plan'],
  ['two plans', 'planner', `${fenced(plan)}\n${fenced(JSON.stringify({ ...aPlan, goal: 'The last one' }))}`, 'plan'],
  ['a plan in Act mode', 'actor', plan, 'text'],
  ['a question in Plan mode', 'planner', question, 'text'],
  ['a question without options', 'actor', '{"type":"question","question":"?","severity":"minor","options":[]}', 'text'],
  ['a default that is no option', 'actor', JSON.stringify({ ...aQuestion, default: 'perhaps' }), 'text'],
  ['an unknown severity', 'actor', JSON.stringify({ ...aQuestion, severity: 'huge' }), 'text'],
  ['lone surrogates and control characters', 'planner', '\ud800\udfff\u0000\u0007\ufffd{"goal":"\ud800"}', 'text'],
  ['a broken string', 'planner', '{"goal": "x, "steps": [', 'text'],
]

for (const [name, role, text, type] of shapes) {
  test(`[P36] a reply of ${name} ends the turn in good order`, async (t) => {
    const { say } = await testStage(t, role, [{ text }, { text: 'And on.' }, { text: 'And on.' }])

    const shown = (await say('go')).messages.at(-1)
    const { run, messages } = await say('still there?')

    assert.equal(shown?.type, type)
    assert.deepEqual([run?.status, messages.at(-1)?.type], ['completed', 'text'])
  })
}

test('[P36] calls to tools that do not exist or are not offered, and arguments that do not parse, are answered and the turn goes on', async (t) => {
  const { say } = await testStage(t, 'planner', [
    { calls: [{ tool: 'launch_rocket', input: {} }] },
    { calls: [{ tool: 'delete_file', input: { path: 'a.txt' } }] },
    { calls: [{ tool: 'read_file', input: '{"path": "a' }] },
    { calls: [{ tool: 'read_file', input: { path: 7 } }] },
    { calls: [{ tool: 'submit_plan', input: { goal: '' } }] },
    { text: 'I give up.' },
  ])

  const { messages, run } = await say('go')

  const outcomes = messages.flatMap((message) => (message.type === 'tool_result' ? [message.outcome] : []))
  assert.equal(run?.status, 'completed')
  assert.equal(outcomes.length, 5)
  for (const outcome of outcomes) assert.ok(outcome === 'denied' || outcome === 'error')
})

test('[P36] whatever a model says, a turn ends, and the chat can be opened', async (t) => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom('```json', '```', '{', '}', '"', '\\', plan, question, '\n'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.constantFrom('planner', 'actor'), async (pieces, role) => {
      const text = pieces.join('')
      const { say } = await testStage(t, role, [{ text }, { text: 'I meant nothing by it.' }])

      const { run, messages } = await say('go')

      assert.ok(run?.status === 'completed' || run?.status === 'waiting')
      const texts = messages.map((message) => ('text' in message ? message.text.toWellFormed() : ''))
      assert.ok(texts.includes(text.toWellFormed()) || texts.slice(1).join('').includes(text.toWellFormed()))
    }),
    { numRuns: 40 },
  )
})

test('[P37] a person’s version of a plan is a message, and the Planner is told what it says', async (t) => {
  const { chat, context, requests, say } = await testStage(t, 'planner', [{ text: plan }, { text: 'I see.' }])
  const [first = assert.fail()] = (await say('plan it')).plans

  const edited = await editPlan.run(context, { chat: chat.id, plan: first.id, ...aPlan, goal: 'Say goodbye' })
  const { messages } = await say('what do you think of mine?')

  assert.ok(messages.some((message) => message.type === 'plan' && message.from === 'user' && message.plan_id === edited.id))
  assert.match(JSON.stringify(requests[1]?.entries), /user edited the plan. Version 2 now reads:[^]*Say goodbye/)
})
