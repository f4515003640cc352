import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { join } from 'node:path'
import { perform } from '../../domain/operation.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { questions } from '../../store/run-tables.ts'
import type { StepInput } from '../../providers/script/script.ts'
import type { ModelRequest } from '../../providers/provider.ts'
import { commandOperations } from '../allowed-commands.ts'
import { outcomesOf, testAgent, type TestAgent } from '../test-agent.ts'
import type { AgentContext } from '../agent.ts'
import { answerQuestion } from './answer.ts'

const [list, allow, revoke] = commandOperations
const asking = { tools: { execute_command: 'ask' as const }, never_ask: false }

function running(...commands: string[]): StepInput<ModelRequest>[] {
  return [...commands.map((command) => ({ calls: [{ tool: 'execute_command', input: { command } }] })), { text: 'Done.' }]
}

async function sceneOf(t: Parameters<typeof testAgent>[0], replies: StepInput<ModelRequest>[], over: Partial<AgentContext> = {}) {
  const scene = await testAgent(t, replies, { approvals: asking, sandbox: await detectSandbox(), ...over })
  const context = { driver: scene.agent.driver, root: scene.workspace, now: scene.agent.now }
  return { ...scene, context }
}

async function answer({ agent }: TestAgent, question: string | null, value: string): Promise<void> {
  await answerQuestion(agent.driver, question ?? '', { value }, 'user', new Date())
}

test('[G63] a command that is asked about can be allowed from now on: in this chat, in this project, or always', async (t) => {
  const scene = await sceneOf(t, [...running('touch a', 'touch b'), ...running('touch c'), ...running('touch d')])
  const first = await scene.play({ thread_id: 'chat_1' })
  const { item: asked } = await questions.get(scene.agent.driver, first.question_id ?? '')

  await answer(scene, first.question_id, 'allow_chat')
  const here = await scene.resume(first.id)
  const again = await scene.play({ thread_id: 'chat_1' })
  const elsewhere = await scene.play({ thread_id: 'chat_2' })

  assert.deepEqual(
    asked.content.options.map(({ value }) => value),
    ['approve', 'allow_chat', 'allow_project', 'allow_always', 'refuse'],
  )
  assert.deepEqual([here.status, again.status, elsewhere.status], ['completed', 'completed', 'waiting'])
  const { commands } = await perform(list, scene.context, {})
  assert.deepEqual(
    commands.map(({ scope, place, pattern }) => [scope, place, pattern]),
    [['chat', 'chat_1', 'touch *']],
  )
})

test('[G63] what was revoked is asked about from its next call on, also in a run at work', async (t) => {
  const scene = await sceneOf(t, [
    ...running('touch a').slice(0, 1),
    async () => {
      const { commands } = await perform(list, scene.context, {})
      await perform(revoke, scene.context, { id: commands[0]?.id })
      return { calls: [{ tool: 'execute_command', input: { command: 'touch b' } }] }
    },
  ])
  await perform(allow, scene.context, { pattern: 'touch *' })

  const run = await scene.play()

  assert.equal(run.status, 'waiting')
  assert.deepEqual(
    outcomesOf(await scene.thread(run)).filter((line) => line.startsWith('execute')),
    ['execute_command ok', 'execute_command waiting'],
  )
})

test('[G63] each part of a pipeline is allowed with the answer, and a part that was not is asked about', async (t) => {
  const scene = await sceneOf(t, running('echo a | tail -1', 'tail -1 x; echo b', 'echo a; rm -rf x'))
  const first = await scene.play()

  await answer(scene, first.question_id, 'allow_always')
  const second = await scene.resume(first.id)

  assert.equal(second.status, 'waiting')
  const { item } = await questions.get(scene.agent.driver, second.question_id ?? '')
  assert.match(item.content.question, /rm -rf x/)
  assert.deepEqual(item.allow?.patterns, ['echo *', 'rm -rf x'])
})

test('[G64] a command that cannot be judged for certain is asked about each time, and is not offered to be allowed', async (t) => {
  const scene = await sceneOf(t, running('touch a; touch $(echo b)'))
  await perform(allow, scene.context, { pattern: 'touch *' })
  await perform(allow, scene.context, { pattern: 'echo *' })

  const run = await scene.play()

  const { item } = await questions.get(scene.agent.driver, run.question_id ?? '')
  assert.deepEqual([run.status, item.allow, item.content.options.map(({ value }) => value)], ['waiting', undefined, ['approve', 'refuse']])
})

test('[G65] what is allowed from now on gives no role a permission, and outweighs no deny', async (t) => {
  const planner = await sceneOf(t, running('touch a'))
  await perform(allow, planner.context, { pattern: 'touch *', scope: 'always' })
  const denied = await sceneOf(t, running('touch a'), { approvals: { tools: { execute_command: 'deny' }, never_ask: false } })
  await perform(allow, denied.context, { pattern: 'touch *', scope: 'always' })
  const tester = await sceneOf(t, running('touch a'))
  await perform(allow, tester.context, { pattern: 'touch *', scope: 'always' })

  const runs = [await planner.play({ agent_role: 'planner' }), await denied.play(), await tester.play({ agent_role: 'tester' })]

  assert.deepEqual(
    runs.map(({ status }) => status),
    ['completed', 'completed', 'completed'],
  )
  for (const { workspace } of [planner, denied, tester]) assert.equal(existsSync(join(workspace, 'a')), false)
})

test('[G65] where nobody can be asked, what was allowed before runs and the rest is refused', async (t) => {
  const scene = await sceneOf(t, running('touch a', 'mkdir b'), { approvals: { ...asking, never_ask: true } })
  await perform(allow, scene.context, { pattern: 'touch *' })

  const run = await scene.play()

  assert.deepEqual(
    outcomesOf(await scene.thread(run)).filter((line) => line.startsWith('execute')),
    ['execute_command ok', 'execute_command denied'],
  )
})

test('[G66] the scope chat needs a chat, a pattern is refused where it would be leave for anything, and allowing twice is allowing once', async (t) => {
  const { context } = await sceneOf(t, [])

  await assert.rejects(perform(allow, context, { pattern: 'npm test', scope: 'chat' }), { code: 'bad_input' })
  await assert.rejects(perform(allow, context, { pattern: 'bash *' }), { code: 'bad_input' })
  await perform(allow, context, { pattern: 'npm  test   *' })
  await perform(allow, context, { pattern: 'npm test *' })
  await assert.rejects(perform(revoke, context, { id: 'allowed_none' }), { code: 'not_found' })

  assert.equal((await perform(list, context, {})).commands.length, 1)
})
