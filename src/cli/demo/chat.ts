import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stopPlaying } from '../../agent/run/background.ts'
import { answerInChat } from '../../chat/continue.ts'
import { createChat } from '../../chat/create.ts'
import { executePlan } from '../../chat/execute-plan.ts'
import { sendMessage } from '../../chat/send.ts'
import { openChatContext, type ChatContext } from '../../chat/context.ts'
import { viewChat } from '../../chat/view.ts'
import { Problem } from '../../domain/problem.ts'
import type { Story } from './story.ts'
import type { DemoContext } from './context.ts'
import { processContext } from '../open/process-context.ts'

/** Chat: plan, approve, act, answer; then the person commits what was done. Gives back the chat. */
export async function playChat(world: DemoContext, story: Story): Promise<string> {
  const context = openChatContext(processContext(world.parts, world.project, story.hear))
  world.signal.addEventListener('abort', () => void stopPlaying(context.playing), { once: true }) // a turn at work does not know of the demo
  try {
    return await talk(world, story, context)
  } finally {
    await stopPlaying(context.playing)
  }
}

async function talk(world: DemoContext, story: Story, context: ChatContext): Promise<string> {
  const { project } = world
  story.scene(
    '2 · Chat: plan, approve, act',
    'The Planner reads and hands in a plan; the Actor carries out the version you approved, and nothing else.',
  )
  const { id } = await createChat.run(context, { workspace: project, agent_role: 'planner' })
  story.step('you: A test fails. Please fix it.')
  await sendMessage.run(context, { chat: id, text: 'A test fails. Please fix it.' })
  const planned = await atRest(world, context, id)
  const plan = planned.plans.at(-1)
  if (plan === undefined) throw new Problem('internal', 'the Planner of the demo handed in no plan')
  story.step(`plan ${plan.version}: ${plan.content.goal} (${plan.content.steps.length} steps)`)
  story.enforced('Planning changed nothing: git sees no change.', (await world.changes()) === '')
  const stale = await executePlan.run(context, { chat: id, plan: plan.id, hash: 'another text' }).then(
    () => false,
    (error: unknown) => error instanceof Problem && error.code === 'conflict',
  )
  story.enforced('Approving another text than this version is refused.', stale)
  story.step('you: Execute Plan')
  await executePlan.run(context, { chat: id, plan: plan.id, hash: plan.hash })
  const asked = (await atRest(world, context, id)).questions.find(({ status }) => status === 'pending')
  if (asked === undefined) throw new Problem('internal', 'the Actor of the demo asked nothing')
  story.step(`the Actor asks: ${asked.content.question}`)
  story.enforced(
    'Until a person answers, the run waits: silence is not an answer.',
    (await viewChat(context, id, { limit: 1 })).run?.status === 'waiting',
  )
  story.step('you: Yes, add the test')
  await answerInChat.run(context, { chat: id, question: asked.id, value: 'add_test' })
  const done = await atRest(world, context, id)
  const repaired = (await readFile(join(project, 'src/parse-price.js'), 'utf8')).includes('replaceAll')
  story.enforced('The plan is carried out, once; the files on disk are changed.', repaired && done.plans.at(-1)?.status === 'executed')
  await world.commit('Read prices with a thousands comma')
  return id
}

/** The chat when its turn is over. */
async function atRest({ signal }: DemoContext, context: ChatContext, id: string) {
  await context.playing.get(id)?.done
  if (signal.aborted) throw new Problem('stopped', 'the demo was stopped')
  return viewChat(context, id, { limit: 50 })
}
