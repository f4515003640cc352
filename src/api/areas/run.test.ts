import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { playRun } from '../../agent/loop.ts'
import { startRun, type RunRequest } from '../../agent/run/start.ts'
import { goneHolder } from '../../agent/test-agent.ts'
import { aQuestion } from '../../chat/test-chat.ts'
import { runs } from '../../store/run-tables.ts'
import { serveForTest, type Replies } from '../test-server.ts'

test('[C142] a waiting run goes on with an answer, and its thread with a prompt, over HTTP', async (t) => {
  const { play, post, settled } = await served(t, [{ text: JSON.stringify(aQuestion) }, { text: 'Done.' }, { text: 'More.' }])
  const { id } = await play()

  const wrong = await post({ run: id, value: 'yes', question: 'question_none' })
  const answered = await post({ run: id, value: 'yes' })
  const done = await settled(id)
  const further = await post({ run: id, prompt: 'and then?' })
  const more = await settled(further.body.run_id)

  assert.deepEqual([wrong.status, answered.status, further.status], [404, 200, 200])
  assert.deepEqual([done.status, more.status, more.thread_id], ['completed', 'completed', done.thread_id])
})

test('[C142] an interrupted run is continued over HTTP, and one that is over is refused', async (t) => {
  const { agent, start, post, settled } = await served(t, [{ text: 'Done.' }])
  const held = await start()
  await runs.replace(agent.driver, held, { ...held.item, holder: goneHolder() })

  const continued = await post({ run: held.item.id })
  const done = await settled(held.item.id)
  const again = await post({ run: held.item.id })

  assert.deepEqual([continued.status, done.status], [200, 'completed'])
  assert.deepEqual([again.status, again.body.error.code], [409, 'move_refused'])
})

test('[C142] a run that belongs to a chat is continued there', async (t) => {
  const { start, post } = await served(t, [])
  const held = await start({ thread_id: 'chat_1' })

  const refused = await post({ run: held.item.id })

  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /belongs to the chat chat_1/)
})

async function served(t: TestContext, replies: Replies) {
  const { services, send } = await serveForTest(t, { replies })
  const { agent, playing } = services.context
  const start = (request: Partial<RunRequest> = {}) =>
    startRun(agent, { agent_role: 'actor', model: 'scripted/test', workspace: services.workspace, prompt: 'do it', ...request })
  return {
    agent,
    start,
    play: async () => playRun(agent, await start(), new AbortController().signal),
    post: (body: object) => send('POST', '/api/run/resume', body),
    settled: async (id: string) => {
      await playing.get(id)?.done
      return (await runs.get(agent.driver, id)).item
    },
  }
}
