import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { untilQuiet } from '../../chat/context.ts'
import { aPlan, aQuestion } from '../../chat/test-chat.ts'
import { rowsOf } from '../../domain/test-each.ts'
import { serveForTest, type Replies } from '../test-server.ts'

test('[P17] a chat goes from a message to a plan, its execution, a question and its answer over HTTP', async (t) => {
  const { say, post, settled, id } = await openChat(t, 'planner', [
    { text: JSON.stringify(aPlan) },
    { text: JSON.stringify(aQuestion) },
    { text: 'Done.' },
  ])

  await say('plan it')
  const plan = (await settled()).plans[0]
  const stale = await post('/api/chat/execute_plan', { chat: id, plan: plan.id, hash: 'no' })
  const started = await post('/api/chat/execute_plan', { chat: id, plan: plan.id, hash: plan.hash })
  const question = (await settled()).questions[0]
  const answered = await post('/api/chat/answer_question', { chat: id, question: question.id, value: 'yes' })
  const again = await post('/api/chat/answer_question', { chat: id, question: question.id, value: 'no' })
  const chat = await settled()

  assert.deepEqual([stale.status, started.status, answered.status, again.status], [409, 200, 200, 409])
  assert.deepEqual([chat.agent_role, chat.run.status, chat.messages.at(-1).text], ['actor', 'completed', 'Done.'])
})

test('[P17] an unknown id, a body that does not fit and an oversize body get typed errors', async (t) => {
  const { post, server, id } = await openChat(t, 'planner', [])

  const unknown = await server.send('GET', '/api/chat/show?chat=chat_none')
  const wrong = await post('/api/chat/send_message', { chat: id, words: 'hello' })
  const large = await post('/api/chat/send_message', { chat: id, text: 'x'.repeat(2_000) })

  assert.deepEqual([unknown.status, wrong.status, large.status], [404, 400, 413])
  assert.deepEqual(
    [unknown, wrong, large].map(({ body }) => body.error.code),
    ['not_found', 'bad_input', 'too_large'],
  )
})

test('[C65] a message of blanks alone starts no turn', async (t) => {
  const { post, server, id } = await openChat(t, 'planner', [])

  const blank = await post('/api/chat/send_message', { chat: id, text: ' \n\t ' })

  assert.equal(blank.status, 400)
  assert.deepEqual((await server.send('GET', `/api/chat/show?chat=${id}`)).body.messages, [])
})

test('[P45] a change of one setting leaves every other as it was', async (t) => {
  const { patch, server, id } = await openChat(t, 'actor', [])
  const settings = {
    approvals: { create_file: 'ask' },
    limits: { max_turns: 7, max_tokens: 5_000 },
    model: 'scripted/other',
    reasoning: 'low',
  }
  await patch(settings)

  await patch({ limits: { max_tokens: 9_000 } })
  await patch({ agent_role: 'planner' })
  await patch({ title: 'Another name' })
  const refused = await patch({ limits: { max_tokens: 0 } })
  const { config, title } = (await server.send('GET', `/api/chat/show?chat=${id}`)).body

  assert.deepEqual(config, {
    ...settings,
    agent_role: 'planner',
    limits: { max_turns: 7, max_tokens: 9_000, max_cost_microusd: null, max_wall_ms: null },
  })
  assert.deepEqual([title, refused.status], ['Another name', 400])
})

test('[P18] everything that waits for a person is in one list, the gravest first', async (t) => {
  const { say, settled, server } = await openChat(t, 'actor', [{ text: JSON.stringify({ ...aQuestion, severity: 'critical' }) }])
  await say('rename it')
  await settled()

  const { needs } = (await server.send('GET', '/api/system/list_needs')).body

  assert.deepEqual(rowsOf(needs, 'kind', 'severity', 'title'), [['question', 'critical', aQuestion.question]])
})

async function openChat(t: TestContext, agent_role: string, replies: Replies) {
  const server = await serveForTest(t, { replies })
  const post = (path: string, body: unknown) => server.send('POST', path, body)
  const { id } = (await post('/api/chat/create', { workspace: server.services.workspace, agent_role })).body
  const say = (text: string) => post('/api/chat/send_message', { chat: id, text })
  const patch = (body: object) => post('/api/chat/configure', { chat: id, ...body })
  const settled = async () => {
    await untilQuiet(server.services.context, id)
    return (await server.send('GET', `/api/chat/show?chat=${id}`)).body
  }
  return { server, post, patch, say, id, settled }
}
