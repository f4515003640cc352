import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { plainGround } from '../agent/test-agent.ts'
import { Limits } from '../domain/run.ts'
import { createChat } from './create.ts'
import { openDemo } from './demo.ts'
import { openChatContext } from './context.ts'
import { testStage } from './test-chat.ts'

test('[P38] each demo is a fresh copy whose test fails', async (t) => {
  const [one, other] = [await openDemo(), await openDemo()]
  t.after(() => Promise.all([one, other].map((folder) => rm(folder, { recursive: true, force: true }))))
  await writeFile(join(one, 'src/parse-price.js'), 'broken')

  const tests = spawnSync(process.execPath, ['--test'], { cwd: other, encoding: 'utf8', env: { PATH: process.env['PATH'] } })

  assert.match(await readFile(join(other, 'src/parse-price.js'), 'utf8'), /parseFloat/)
  assert.equal(tests.status, 1)
  assert.match(tests.stdout, /fail 1/)
})

test('[P39] a new chat starts with the limits that hold in its folder', async (t) => {
  const { agent, workspace } = await testStage(t, 'actor', [])
  const limits = Limits.parse({ max_tokens: 5_000 })

  const chat = await createChat.run(openChatContext(plainGround(agent, { limits })), { workspace })

  assert.equal(chat.config.limits.max_tokens, 5_000)
})
