import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startRun } from '../agent/run/start.ts'
import { goneHolder } from '../agent/test-agent.ts'
import { noUsage } from '../domain/entry.ts'
import { until } from '../sandbox/test-until.ts'
import { addDraft, listDrafts } from '../store/run-drafts.ts'
import { entries, questions, runs } from '../store/tables.ts'
import { configureChat } from './configure.ts'
import { continueWaiting } from './continue-waiting.ts'
import { continueChat } from './continue.ts'
import { deleteChat } from './delete.ts'
import { aQuestion, testStage } from './test-chat.ts'
import { listChats } from './view.ts'

test('[P15] a turn that failed can be continued, and a chat at work cannot be deleted', async (t) => {
  const { context, chat, quiet, view, agent, say } = await testStage(t, 'actor', [
    { fail: 400, said: 'no', text: 'Here I am again.', delay_ms: 300 },
  ])
  assert.equal((await say('hello')).run?.status, 'failed')

  await continueChat.run(context, { chat: chat.id })
  await until(async () => (await view()).running)
  await assert.rejects(deleteChat.run(context, { chat: chat.id }), { code: 'busy' })
  assert.equal((await quiet()).run?.status, 'completed')

  await deleteChat.run(context, { chat: chat.id })
  assert.deepEqual(await listChats(agent.driver), [])
})

test('[P15] a turn is continued by the role the chat has then, not by the one that a person has left', async (t) => {
  const write = { calls: [{ tool: 'create_file', input: { path: 'a.txt', content: 'a' } }] }
  const { context, chat, quiet, workspace, say } = await testStage(t, 'actor', [
    { ...write, fail: 400, said: 'no' },
    { text: 'I may not.' },
  ])
  await say('hello')
  await configureChat.run(context, { chat: chat.id, agent_role: 'planner', confirm: true })

  await continueChat.run(context, { chat: chat.id })
  const { run, messages } = await quiet()

  assert.deepEqual([run?.agent_role, run?.status, existsSync(join(workspace, 'a.txt'))], ['planner', 'completed', false])
  assert.ok(messages.some((message) => message.type === 'tool_result' && message.outcome === 'denied'))
})

test('[P15] a turn that was interrupted is not resumed in a role that a person has left since', async (t) => {
  const { context, chat, quiet, agent, say } = await testStage(t, 'tester', [{ text: JSON.stringify(aQuestion) }, { text: 'I act.' }])
  const { run } = await say('go')
  assert.ok(run)
  await runs.replace(agent.driver, await runs.get(agent.driver, run.id), { ...run, status: 'running', holder: goneHolder() })
  await configureChat.run(context, { chat: chat.id, agent_role: 'actor', confirm: false })

  await continueChat.run(context, { chat: chat.id })

  assert.deepEqual([(await quiet()).run?.agent_role, (await runs.get(agent.driver, run.id)).item.status], ['actor', 'stopped'])
})

test('[A100] [A101] what a killed process had heard of a reply is shown, and is a part of the thread once it goes on', async (t) => {
  const { context, chat, quiet, view, agent } = await testStage(t, 'actor', [{ text: 'Done.' }])
  const held = await startRun(agent, {
    agent_role: 'actor',
    model: 'scripted/test',
    workspace: chat.workspace,
    prompt: 'go',
    thread_id: chat.id,
  })
  await runs.replace(agent.driver, held, { ...held.item, holder: goneHolder() })
  const usage = { ...noUsage, input_tokens: 40, cost_microusd: 7, estimated: true as const }
  await addDraft(agent.driver, { id: 'draft_1', run_id: held.item.id, text: 'Half a', usage, took_ms: 5 })

  const interrupted = await view()
  await continueChat.run(context, { chat: chat.id })
  const after = await quiet()

  const said = (messages: typeof after.messages) => messages.map((message) => [message.type, message.type === 'text' && message.stopped])
  const cutOff = [
    ['text', false],
    ['text', true],
  ]
  assert.deepEqual(said(interrupted.messages), cutOff)
  assert.deepEqual(said(after.messages), [...cutOff, ['error', false], ['text', false]])
  assert.deepEqual([after.usage.input_tokens >= 40, after.usage.estimated], [true, true])
  assert.deepEqual(await listDrafts(agent.driver), [])
})

test('[A165] a turn that waited for a limit when its server was killed goes on with the next server', async (t) => {
  const { context, chat, quiet, agent } = await testStage(t, 'actor', [{ text: 'Done.' }])
  const order = { agent_role: 'actor', model: 'scripted/test', workspace: chat.workspace, prompt: 'go', thread_id: chat.id }
  const held = await startRun(agent, order)
  const at = agent.now().toISOString()
  const quota = { account: 'anthropic', message: 'limit reached', resets_at: at, since: at }
  await runs.replace(agent.driver, held, { ...held.item, holder: goneHolder(), quota })
  const stop = new AbortController()

  const watching = continueWaiting(context, stop.signal)
  await until(async () => (await runs.get(agent.driver, held.item.id)).item.status === 'completed')
  stop.abort()
  await watching

  assert.equal((await quiet()).run?.quota, null)
})

test('[P15] with a chat goes everything that was delegated from it', async (t) => {
  const { context, chat, agent, say } = await testStage(t, 'commander', [
    { calls: [{ tool: 'delegate', input: { role: 'actor', task: 'Ask something.' } }] },
    { text: JSON.stringify(aQuestion) },
  ])
  await say('have it done')

  await deleteChat.run(context, { chat: chat.id })

  const left = await Promise.all([runs.list(agent.driver), entries.list(agent.driver), questions.list(agent.driver)])
  assert.deepEqual(left, [[], [], []])
})
