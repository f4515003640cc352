import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { methods } from '@agentclientprotocol/sdk'
import { anAccount, type Account } from '../../src/cli/test-account.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { anEditor, chooses } from './acp-editor.ts'

const plan = { goal: 'Write a greeting', steps: [{ step_number: 1, action: 'Create greeting.txt' }] }
const question = {
  type: 'question',
  question: 'In capitals?',
  severity: 'critical',
  options: [
    { label: 'Yes', value: 'yes' },
    { label: 'No', value: 'no' },
  ],
}
const write = { calls: [{ tool: 'create_file', input: { path: 'greeting.txt', content: 'HELLO\n' } }] }

test('[E1] [E4] [E5] a prompt leads to a plan, its execution after a yes, a question by form, and a changed file', async (t) => {
  const account = await accountWith(t, [
    { text: `Here is what I would do.\n\n${JSON.stringify(plan)}` },
    { text: JSON.stringify(question) },
    write,
    { text: '[step 1 done]\nWritten.' },
  ])
  const editor = await anEditor(t, account, {
    can: { elicitation: { form: {} } },
    form: () => ({ action: 'accept', content: { value: 'yes' } }),
  })
  const session = await editor.open()

  const stopped = await editor.prompt(session, 'greet')

  assert.equal(stopped, 'end_turn')
  assert.equal(await readFile(join(account.project, 'greeting.txt'), 'utf8'), 'HELLO\n')
  assert.deepEqual(
    editor.asked.map(({ toolCall, options }) => [toolCall.kind, options.map(({ kind }) => kind)]),
    [['switch_mode', ['allow_once', 'reject_once']]],
  )
  const kinds = editor.told.map(({ sessionUpdate }) => sessionUpdate)
  for (const kind of ['plan', 'current_mode_update', 'config_option_update', 'tool_call', 'tool_call_update', 'available_commands_update'])
    assert.ok(
      kinds.some((each) => each === kind),
      kind,
    )
  assert.match(editor.said(), /^Here is what I would do\.\s+\[step 1 done\]\s+Written\.\s*$/)
  const call = editor.told.find((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'completed')
  assert.deepEqual(call?.sessionUpdate === 'tool_call_update' && call.content, [
    { type: 'diff', path: join(account.project, 'greeting.txt'), oldText: null, newText: 'HELLO\n' },
  ])
})

test('[E4] a plan that its person does not agree to is kept and nothing is changed', async (t) => {
  const account = await accountWith(t, [{ text: JSON.stringify(plan) }])
  const editor = await anEditor(t, account, { permission: chooses('reject_once') })
  const session = await editor.open()

  const stopped = await editor.prompt(session, 'greet')

  const shown = JSON.parse((await account.troupe('chat', 'show', session, '--json')).stdout)
  assert.deepEqual([stopped, shown.plans[0].status, shown.agent_role], ['end_turn', 'draft', 'planner'])
  assert.equal(existsSync(join(account.project, 'greeting.txt')), false)
})

test('[E5] an editor without forms asks by its dialog, and what is put off is answered by the next prompt', async (t) => {
  const account = await accountWith(t, [{ text: JSON.stringify(question) }, { text: 'As you like.' }])
  const editor = await anEditor(t, account, { permission: () => ({ outcome: { outcome: 'cancelled' } }), args: ['--role', 'actor'] })
  const session = await editor.open()

  const put = await editor.prompt(session, 'greet')
  const waiting = JSON.parse((await account.troupe('chat', 'show', session, '--json')).stdout)
  const answered = await editor.prompt(session, 'in small letters')

  const after = JSON.parse((await account.troupe('chat', 'show', session, '--json')).stdout)
  assert.deepEqual([put, answered, waiting.questions[0].status], ['end_turn', 'end_turn', 'pending'])
  assert.equal(after.questions[0].answer.text, 'in small letters')
  assert.match(editor.said(), /In capitals\?[^]*As you like\./)
})

test('[E6] an approval shows the change it is about, and a no is told to the agent', async (t) => {
  const account = await accountWith(t, [{ calls: [{ tool: 'delete_file', input: { path: 'old.txt' } }] }, { text: 'Left alone.' }])
  await account.write('project/old.txt', 'old\n')
  const editor = await anEditor(t, account, { permission: chooses('reject_once'), args: ['--role', 'actor'] })
  const session = await editor.open()

  await editor.prompt(session, 'tidy up')

  const [asked] = editor.asked
  assert.match(asked?.toolCall.title ?? '', /old\.txt/)
  assert.deepEqual(
    asked?.toolCall.content?.filter(({ type }) => type === 'diff'),
    [{ type: 'diff', path: join(account.project, 'old.txt'), oldText: 'old\n', newText: '' }],
  )
  assert.ok(existsSync(join(account.project, 'old.txt')))
})

test('[E7] a call that the role may not make fails with the reason', async (t) => {
  const account = await accountWith(t, [write, { text: 'I cannot.' }])
  const editor = await anEditor(t, account)
  const session = await editor.open()

  await editor.prompt(session, 'greet')

  const failed = editor.told.find((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'failed')
  assert.match(JSON.stringify(failed), /create_files/)
  assert.equal(existsSync(join(account.project, 'greeting.txt')), false)
})

test('[E8] cancelling stops the turn and its command; the prompt is answered as cancelled', async (t) => {
  const account = await accountWith(t, [{ calls: [{ tool: 'execute_command', input: { command: 'touch begun; sleep 600' } }] }])
  const editor = await anEditor(t, account, { args: ['--role', 'actor'] })
  const session = await editor.open()
  const prompt = editor.prompt(session, 'wait')
  await until(() => existsSync(join(account.project, 'begun')))

  const second = await editor.prompt(session, 'me too').catch((error: { code: number }) => error.code)
  await editor.agent.notify(methods.agent.session.cancel, { sessionId: session })

  assert.deepEqual([await prompt, second], ['cancelled', -32_600])
  assert.equal(JSON.parse((await account.troupe('chat', 'show', session, '--json')).stdout).run.status, 'stopped')
})

test('[E2] a session is a chat: it is listed, loaded with all that was said, taken up by the command line, and deleted', async (t) => {
  const account = await accountWith(t, [{ text: 'One.' }, { text: 'Two.' }])
  const first = await anEditor(t, account)
  const session = await first.open()
  await first.prompt(session, 'one')
  const second = await anEditor(t, account)

  const { sessions } = await second.agent.request(methods.agent.session.list, { cwd: account.project })
  await second.agent.request(methods.agent.session.load, { sessionId: session, cwd: account.project, mcpServers: [] })
  const replayed = second.told.map(({ sessionUpdate }) => sessionUpdate)
  await second.prompt(session, 'two')
  const shown = (await account.troupe('chat', 'show', session)).stdout
  await second.agent.request(methods.agent.session.delete, { sessionId: session })
  const gone = await second.agent.request(methods.agent.session.list, {})

  assert.deepEqual(
    sessions.map(({ sessionId, title }) => [sessionId, title]),
    [[session, 'one']],
  )
  assert.deepEqual(replayed.slice(0, 2), ['user_message_chunk', 'agent_message_chunk'])
  assert.match(shown, /One\.[^]*Two\./)
  assert.deepEqual(gone.sessions, [])
})

test('[E3] a role is an option and a mode, both in step; more rights need a yes', async (t) => {
  const account = await accountWith(t, [])
  let agree = false
  const editor = await anEditor(t, account, {
    permission: (request) => chooses(agree ? 'allow_once' : 'reject_once')(request),
  })
  const sessionId = await editor.open()
  const widen = () => editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: 'actor' })

  const refused = await widen().catch((error: { code: number }) => error.code)
  agree = true
  await widen()
  const told = editor.told.map((update) => (update.sessionUpdate === 'current_mode_update' ? update.currentModeId : '')).filter(Boolean)
  const { configOptions } = await editor.agent.request(methods.agent.session.setConfigOption, {
    sessionId,
    configId: 'mode',
    value: 'tester',
  })

  assert.deepEqual([refused, told], [-32_600, ['actor']])
  assert.equal(configOptions.find(({ id }) => id === 'mode')?.currentValue, 'tester')
  assert.equal(editor.told.findLast((update) => update.sessionUpdate === 'current_mode_update')?.currentModeId, 'tester')
})

test('[E11] a slash command is carried out as in the terminal, and an unknown one is refused', async (t) => {
  const account = await accountWith(t, [{ text: 'Hello.' }])
  const editor = await anEditor(t, account)
  const session = await editor.open()

  const known = await editor.prompt(session, '/plan')
  const switched = await editor.prompt(session, '/role reviewer')
  const unknown = await editor.prompt(session, '/rolle').catch((error: { code: number }) => error.code)

  assert.deepEqual([known, switched, unknown], ['end_turn', 'end_turn', -32_602])
  assert.match(editor.said(), /no plan yet/)
  assert.equal(editor.told.findLast((update) => update.sessionUpdate === 'current_mode_update')?.currentModeId, 'reviewer')
})

async function accountWith(t: TestContext, replies: readonly unknown[]): Promise<Account> {
  const account = await anAccount(t)
  const model = await account.script({ follow: 'thread', replies })
  await account.write('.config/troupe/config.yaml', `model: ${JSON.stringify(model)}\n`)
  return account
}
