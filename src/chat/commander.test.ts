import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import type { ApprovalSettings } from '../tools/approvals.ts'
import { configureChat } from './configure.ts'
import { answerInChat } from './continue.ts'
import { testStage } from './test-chat.ts'

const asks: { approvals: ApprovalSettings } = { approvals: { tools: {}, never_ask: false } }
const order = (task: string, role = 'actor') => ({
  calls: [{ tool: 'delegate', input: { role, task } }],
  when: { system: 'COMMANDER role' },
})
const write = (path: string) => ({ calls: [{ tool: 'create_file', input: { path, content: 'x' } }], when: { system: 'ACTOR role' } })
const written = { text: 'Written.', when: { system: 'ACTOR role' } }
const done = { text: 'All done.', when: { system: 'COMMANDER role' } }

test('[P70] a Commander asks before it first starts a role that can change something, then not again, and what that one did is in the chat', async (t) => {
  const replies = [order('one'), write('a.txt'), written, order('two'), write('b.txt'), written, done]
  const { context, chat, say, quiet, workspace } = await testStage(t, 'commander', replies, asks)

  const asked = await say('improve it')
  const untouched = existsSync(join(workspace, 'a.txt'))
  await answerInChat.run(context, { chat: chat.id, question: asked.questions[0]?.id ?? '', value: 'approve' })
  const after = await quiet()

  assert.deepEqual([asked.run?.status, untouched, asked.questions[0]?.approval?.tool], ['waiting', false, 'delegate'])
  assert.deepEqual([after.run?.status, after.questions.length], ['completed', 1])
  assert.ok(after.questions[0]?.approval?.used_at)
  assert.ok(existsSync(join(workspace, 'a.txt')) && existsSync(join(workspace, 'b.txt')))
  assert.deepEqual(each(after.delegated, 'agent_role'), ['actor', 'actor'])
  assert.deepEqual(
    after.delegated[0]?.messages.map((message) => [message.type, 'role' in message && message.role, 'tool' in message && message.tool]),
    [
      ['tool_call', 'actor', 'create_file'],
      ['tool_result', 'actor', 'create_file'],
    ],
  )
})

test('[P70] a Commander that is refused starts nobody, and is told so', async (t) => {
  const { context, chat, say, quiet, workspace, requests } = await testStage(t, 'commander', [order('one'), done], asks)
  const { questions } = await say('improve it')

  await answerInChat.run(context, { chat: chat.id, question: questions[0]?.id ?? '', value: 'refuse', text: 'only look' })
  const after = await quiet()

  assert.deepEqual([after.run?.status, after.delegated.length, existsSync(join(workspace, 'a.txt'))], ['completed', 0, false])
  assert.match(JSON.stringify(requests[1]?.entries), /the user refused this call: only look/)
})

test('[P70] a Commander asks nobody before a role that only reads, or where the user allowed it beforehand', async (t) => {
  const planned = { text: 'Thought.', when: { system: 'PLANNER role' } }
  const reading = await testStage(t, 'commander', [order('think', 'planner'), planned, done], asks)
  const allowed = await testStage(t, 'commander', [order('one'), write('a.txt'), written, done], asks)
  await configureChat.run(allowed.context, { chat: allowed.chat.id, confirm: false, approvals: { delegate: 'allow' } })

  const ended = [await reading.say('think'), await allowed.say('improve it')]

  assert.deepEqual(
    ended.map(({ run, questions }) => [run?.status, questions.length]),
    [
      ['completed', 0],
      ['completed', 0],
    ],
  )
})

test('[P70] the leave of a Commander holds for what is said later in the chat', async (t) => {
  const replies = [order('one'), write('a.txt'), written, done, order('two'), write('b.txt'), written, done]
  const { context, chat, say, quiet, workspace } = await testStage(t, 'commander', replies, asks)
  const { questions } = await say('improve it')
  await answerInChat.run(context, { chat: chat.id, question: questions[0]?.id ?? '', value: 'approve' })
  await quiet()

  const later = await say('and again')

  assert.deepEqual([later.run?.status, later.questions.length, existsSync(join(workspace, 'b.txt'))], ['completed', 1, true])
})

test('[P70] the leave of a Commander ends when the role is switched', async (t) => {
  const replies = [order('one'), write('a.txt'), written, done, order('two')]
  const { context, chat, say, quiet } = await testStage(t, 'commander', replies, asks)
  const { questions } = await say('improve it')
  await answerInChat.run(context, { chat: chat.id, question: questions[0]?.id ?? '', value: 'approve' })
  await quiet()

  await configureChat.run(context, { chat: chat.id, agent_role: 'planner', confirm: false })
  await configureChat.run(context, { chat: chat.id, agent_role: 'commander', confirm: false })

  assert.equal((await say('and again')).run?.status, 'waiting')
})
