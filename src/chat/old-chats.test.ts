import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Driver } from '../store/driver.ts'
import { chats } from '../store/tables.ts'
import { createChat } from './create.ts'
import { testStage, type TestStage } from './test-chat.ts'
import { listChats } from './view.ts'

test('[R22] a chat without agent_role is an Actor and gets the field with its next message', async (t) => {
  const stage = await testStage(t, 'actor', [{ text: 'Hello.' }])
  await storeOldConfig(stage, {})

  const before = await stage.view()
  const after = await stage.say('hello')

  assert.deepEqual([before.agent_role, before.config.agent_role, before.role_warning], ['actor', 'actor', null])
  assert.equal(after.config.agent_role, 'actor')
})

test('[R22] a chat that was stored without any config is read, listed and talked to', async (t) => {
  const stage = await testStage(t, 'planner', [{ text: 'Hello.' }])
  const { config: _, ...old } = stage.chat
  await storeAsWritten(stage.agent.driver, old)

  const listed = await listChats(stage.agent.driver)
  const { config } = await stage.say('hello')

  assert.deepEqual([listed.map(({ id }) => id), config.agent_role], [[stage.chat.id], 'actor'])
})

test('[R42] a chat that names no role is an Actor', async (t) => {
  const { context, workspace } = await testStage(t, 'planner', [])

  const { config } = await createChat.run(context, { workspace })

  assert.equal(config.agent_role, 'actor')
})

test('[R23] a chat whose role is unknown keeps it, may only read, and says so', async (t) => {
  const stage = await testStage(t, 'actor', [
    { calls: [{ tool: 'create_file', input: { path: 'a.txt', content: 'x' } }] },
    { text: 'I may not.' },
  ])
  await storeOldConfig(stage, { agent_role: 'wizard' })

  const { agent_role, role_warning } = await stage.say('hello')

  assert.equal(agent_role, 'wizard')
  assert.match(role_warning ?? '', /may only read/)
  assert.equal(existsSync(join(stage.workspace, 'a.txt')), false)
})

/** As an older version wrote it: nothing is filled in. */
async function storeAsWritten(driver: Driver, chat: { id: string } & Record<string, unknown>): Promise<void> {
  await driver.query('update "chats" set data = $2, version = version + 1 where id = $1', [chat.id, JSON.stringify(chat)])
}

async function storeOldConfig({ agent, chat }: TestStage, config: { agent_role?: string }): Promise<void> {
  const was = await chats.get(agent.driver, chat.id)
  const { agent_role: _, ...rest } = was.item.config
  await storeAsWritten(agent.driver, { ...was.item, config: { ...rest, ...config } })
}
