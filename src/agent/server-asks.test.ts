import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aReviewedServer, testServerSettings } from '../outside/test-servers.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import type { Cleanup } from '../sandbox/test-folder.ts'
import { questions } from '../store/run-tables.ts'
import { allTools } from '../tools/all.ts'
import { serverTools } from '../tools/outside/server-tools.ts'
import type { AgentContext } from './agent.ts'
import { answerQuestion, type GivenAnswer } from './person/answer.ts'
import { stopPlaying, type Playing } from './run/background.ts'
import { testAgent } from './test-agent.ts'

const sandbox = await detectSandbox()
const skip = sandbox.kind === 'none' && 'there is no sandbox here'

test('[M123] what a server asks for is asked of the person, by the name of the server, and it gets the answer', { skip }, async (t) => {
  const { status, question, output } = await answered(t, { text: 'my words' })

  assert.equal(status, 'waiting')
  assert.match(
    `${question?.content.question} ${question?.content.context}`,
    /^test asks: Your API key\? Asked by the MCP server test .*no password/s,
  )
  assert.deepEqual(JSON.parse(output), { action: 'accept', content: { key: 'my words' } })
})

test('[M123] a person who declines is a no to the server', { skip }, async (t) => {
  assert.deepEqual(JSON.parse((await answered(t, { value: 'decline' })).output), { action: 'decline' })
})

test('[M110] where nobody can be asked the server is told no, and the run goes on', { skip }, async (t) => {
  const scene = await asking(t, { approvals: { tools: {}, never_ask: true } })

  const run = await scene.play()

  const outputs = (await scene.thread(run)).flatMap((entry) => (entry.from === 'tool' ? [entry.output] : []))
  assert.deepEqual([run.status, outputs], ['completed', ['{"action":"decline"}']])
})

async function answered(t: Cleanup, given: GivenAnswer) {
  const playing: Playing = new Map()
  t.after(() => stopPlaying(playing))
  const scene = await asking(t, { lasting: playing })
  const waiting = await scene.play()
  const question = await questions.find(scene.agent.driver, waiting.question_id ?? '')
  await answerQuestion(scene.agent.driver, waiting.question_id ?? '', given, 'user', new Date())
  const run = await scene.resume(waiting.id)
  const outputs = (await scene.thread(run)).flatMap((entry) => (entry.from === 'tool' ? [entry.output] : []))
  return { status: waiting.status, question: question?.item, output: outputs.at(-1) ?? '' }
}

async function asking(t: Cleanup, over: Partial<AgentContext>) {
  const server = await aReviewedServer(t, testServerSettings({ tools: [{ name: 'elicit' }] }, { may: 'read' }))
  const replies = [{ calls: [{ tool: 'mcp__test__elicit', input: {} }] }, { text: 'Done.' }]
  return testAgent(t, replies, { sandbox, tools: [...allTools, ...serverTools([server])], ...over })
}
