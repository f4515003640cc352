import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { detectSandbox } from '../sandbox/detect.ts'
import { until } from '../sandbox/test-until.ts'
import { configureChat } from './configure.ts'
import { answerInChat } from './continue.ts'
import { sendMessage } from './send.ts'
import { aQuestion, testStage } from './test-chat.ts'
import { listChats } from './view.ts'

const slow = { text: 'Running it.', calls: [{ tool: 'execute_command', input: { command: 'touch started; sleep 60' } }] }

test('[P9] a role switch is stored, kept, and a line in the history', async (t) => {
  const { context, chat, view } = await testStage(t, 'actor', [])

  await configureChat.run(context, { chat: chat.id, agent_role: 'planner', confirm: false, reason: 'to think' })

  const { agent_role, messages } = await view()
  assert.equal(agent_role, 'planner')
  assert.deepEqual(messages[0]?.type === 'role_change' && messages[0].details, {
    from: 'actor',
    to: 'planner',
    by: 'user',
    reason: 'to think',
  })
})

test('[P9] a role nobody loaded is refused, and the chat keeps the one it has', async (t) => {
  const { context, chat, view } = await testStage(t, 'planner', [])

  await assert.rejects(configureChat.run(context, { chat: chat.id, agent_role: 'admin', confirm: true }), { code: 'not_found' })

  assert.equal((await view()).agent_role, 'planner')
})

test('[P10] leaving a role that acts while a command runs needs confirmation, and then ends the command and the turn', async (t) => {
  const stage = await testStage(t, 'actor', [slow], { sandbox: await detectSandbox() })
  await sendMessage.run(stage.context, { chat: stage.chat.id, text: 'run it' })
  await until(() => existsSync(join(stage.workspace, 'started')))

  const refused = configureChat.run(stage.context, { chat: stage.chat.id, agent_role: 'planner', confirm: false })
  await assert.rejects(refused, { code: 'confirmation_required', message: /Actor is at work/ })
  assert.equal((await stage.view()).running, true)
  await configureChat.run(stage.context, { chat: stage.chat.id, agent_role: 'planner', confirm: true })

  const { agent_role, running, run, messages } = await stage.quiet()
  assert.deepEqual([agent_role, running, run?.status], ['planner', false, 'stopped'])
  assert.ok(messages.some((message) => message.type === 'tool_result' && message.outcome === 'interrupted'))
})

test('[P10] a pending question of an Actor ends with the switch to a role that only reads', async (t) => {
  const { context, chat, quiet, say } = await testStage(t, 'actor', [{ text: JSON.stringify(aQuestion) }])
  await say('rename it')

  await assert.rejects(configureChat.run(context, { chat: chat.id, agent_role: 'reviewer', confirm: false }), {
    code: 'confirmation_required',
  })
  await configureChat.run(context, { chat: chat.id, agent_role: 'reviewer', confirm: true })

  const { questions, needs_you } = await quiet()
  assert.deepEqual([questions[0]?.status, needs_you], ['cancelled', false])
})

test('[P10] a Commander whose Actor is at work acts too: switching to a role that only reads ends the Actor', async (t) => {
  const delegate = { calls: [{ tool: 'delegate', input: { role: 'actor', task: 'run it' } }] }
  const stage = await testStage(t, 'commander', [delegate, slow], { sandbox: await detectSandbox() })
  await sendMessage.run(stage.context, { chat: stage.chat.id, text: 'have it run' })
  await until(() => existsSync(join(stage.workspace, 'started')))

  const refused = configureChat.run(stage.context, { chat: stage.chat.id, agent_role: 'planner', confirm: false })
  await assert.rejects(refused, { code: 'confirmation_required', message: /Commander is at work/ })
  await configureChat.run(stage.context, { chat: stage.chat.id, agent_role: 'planner', confirm: true })

  const { agent_role, run } = await stage.quiet()
  assert.deepEqual([agent_role, run?.status], ['planner', 'stopped'])
})

for (const to of ['tester', 'designer', 'code_reviewer', 'supervisor', 'commander', 'reviewer']) {
  test(`[P10] switching a running Actor to ${to}, which lacks a right of it, asks first, and then ends the turn before it changes anything more`, async (t) => {
    const stage = await testStage(t, 'actor', [slow, { calls: [{ tool: 'create_file', input: { path: 'late.txt', content: 'x' } }] }], {
      sandbox: await detectSandbox(),
    })
    await sendMessage.run(stage.context, { chat: stage.chat.id, text: 'run it' })
    await until(() => existsSync(join(stage.workspace, 'started')))

    const refused = configureChat.run(stage.context, { chat: stage.chat.id, agent_role: to, confirm: false })
    await assert.rejects(refused, { code: 'confirmation_required', message: /Actor is at work/ })
    assert.deepEqual(rolesIn(await stage.view()), ['actor', 'actor'])
    await configureChat.run(stage.context, { chat: stage.chat.id, agent_role: to, confirm: true })

    const after = await stage.quiet()
    assert.deepEqual([...rolesIn(after), after.run?.status], [to, to, 'stopped'])
    assert.equal(existsSync(join(stage.workspace, 'late.txt')), false)
  })
}

test('[P10] a role that may run commands is left like one that may write: Tester to Designer asks', async (t) => {
  const stage = await testStage(t, 'tester', [{ calls: [{ tool: 'ask_user', input: aQuestion }] }])
  await stage.say('run the tests')

  const refused = configureChat.run(stage.context, { chat: stage.chat.id, agent_role: 'designer', confirm: false })

  await assert.rejects(refused, { code: 'confirmation_required', details: { run_id: (await stage.view()).run?.id, status: 'waiting' } })
})

test('[P63] a switch to a role with every right of the running one waits, and until the turn ends the running one is named as enforced', async (t) => {
  const seen: string[][] = []
  const test_ = await testStage(t, 'planner', [
    async () => {
      await configureChat.run(test_.context, { chat: test_.chat.id, agent_role: 'actor', confirm: false })
      seen.push(rolesIn(await test_.view()), ...(await listChats(test_.context.agent.driver)).map(rolesIn))
      return { text: 'Looked.' }
    },
  ])

  const after = await test_.say('look around')

  assert.deepEqual(seen, [
    ['actor', 'planner'],
    ['actor', 'planner'],
  ])
  assert.deepEqual(rolesIn(after), ['actor', 'actor'])
})

/** The role a chat has for its next turn, and the one that is enforced now. */
function rolesIn({ agent_role, enforced_role }: { agent_role: string; enforced_role: string }): string[] {
  return [agent_role, enforced_role]
}

test('[P10] a turn that begins at the very moment of the switch is not left running in a chat that only reads', async (t) => {
  const { context, chat, quiet, agent } = await testStage(t, 'actor', [{ text: JSON.stringify(aQuestion) }])
  let begun: Promise<unknown> | null = null
  const transaction: typeof agent.driver.transaction = async (work) => {
    await (begun ??= sendMessage.run(context, { chat: chat.id, text: 'go' }))
    return agent.driver.transaction(work)
  }
  const late = { ...context, agent: { ...agent, driver: { ...agent.driver, transaction } } }

  const switched = configureChat.run(late, { chat: chat.id, agent_role: 'planner', confirm: false })

  await assert.rejects(switched, { code: 'confirmation_required' })
  assert.equal((await quiet()).agent_role, 'actor')
})

test('[P11] a switch during a turn never changes the tools of that turn', async (t) => {
  const test_ = await testStage(t, 'planner', [
    async () => {
      await configureChat.run(test_.context, { chat: test_.chat.id, agent_role: 'actor', confirm: false })
      return { calls: [{ tool: 'create_file', input: { path: 'a.txt', content: 'x' } }] }
    },
    { text: 'It was refused.' },
  ])

  const { agent_role, messages } = await test_.say('look around')

  assert.equal(agent_role, 'actor')
  assert.equal(existsSync(join(test_.workspace, 'a.txt')), false)
  assert.ok(messages.some((message) => message.type === 'tool_result' && message.outcome === 'denied'))
})

test('[P11] nothing starts in a role that was left at that very moment', async (t) => {
  const { context, chat, view, requests } = await testStage(t, 'actor', [{ text: 'I act.' }])
  const switching = {
    ...context,
    at: async (workspace: string) => {
      await configureChat.run(context, { chat: chat.id, agent_role: 'planner', confirm: true })
      return context.at(workspace)
    },
  }

  await assert.rejects(sendMessage.run(switching, { chat: chat.id, text: 'go' }), {
    code: 'conflict',
    message: /switched from actor to planner/,
  })

  const { run, agent_role } = await view()
  assert.deepEqual([run, agent_role, requests.length], [null, 'planner', 0])
})

test('[P7] an answer reaches the model also when the role was switched while the question waited', async (t) => {
  const { context, chat, quiet, requests, say } = await testStage(t, 'actor', [{ text: JSON.stringify(aQuestion) }, { text: 'Fine.' }])
  const [question = assert.fail()] = (await say('rename it')).questions

  await configureChat.run(context, { chat: chat.id, agent_role: 'coder', confirm: false })
  await answerInChat.run(context, { chat: chat.id, question: question.id, value: 'yes' })
  await quiet()

  const told = requests[1]?.entries.at(-1)
  assert.match(told?.from === 'user' ? told.text : '', /Yes \(value: yes\)/)
})

test('[P16] chats are listed newest first and found by words of their title', async (t) => {
  const { agent, say } = await testStage(t, 'actor', [{ text: 'ok' }])
  await say('Fix the price parser\nIt fails on commas')

  const [found, missing] = [await listChats(agent.driver, 'parser price'), await listChats(agent.driver, 'weather')]

  assert.deepEqual([found.map(({ title }) => title), missing], [['Fix the price parser'], []])
})
