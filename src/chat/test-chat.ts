import type { AgentContext } from '../agent/agent.ts'
import { stopPlaying } from '../agent/run/background.ts'
import { plainGround, testAgent, type TestAgent } from '../agent/test-agent.ts'
import type { Chat } from '../domain/chat.ts'
import type { ModelRequest } from '../providers/provider.ts'
import type { StepInput } from '../providers/script/script.ts'
import type { Cleanup } from '../sandbox/test-folder.ts'
import { createChat } from './create.ts'
import { sendMessage } from './send.ts'
import { openChatContext, untilQuiet, type ChatContext } from './context.ts'
import { viewChat } from './view.ts'

/** A context on a real store with a script instead of a model, and one chat on it. */
export interface TestStage extends TestAgent {
  context: ChatContext
  chat: Chat
  view: () => ReturnType<typeof viewChat>
  /** Waits until nothing of the chat is at work here. */
  quiet: () => ReturnType<typeof viewChat>
  /** Says something and waits for all that comes of it. */
  say: (text: string) => ReturnType<typeof viewChat>
}

export async function testStage(
  t: Cleanup,
  agent_role: string,
  replies: readonly StepInput<ModelRequest>[],
  over: Partial<AgentContext> = {},
): Promise<TestStage> {
  const test = await testAgent(t, replies, over)
  const context = openChatContext(plainGround(test.agent))
  t.after(() => stopPlaying(context.playing))
  const chat = await createChat.run(context, { workspace: test.workspace, agent_role })
  const view = () => viewChat(context, chat.id, { limit: 200 })
  const quiet = async () => {
    await untilQuiet(context, chat.id)
    return view()
  }
  const say = async (text: string) => {
    await sendMessage.run(context, { chat: chat.id, text: text })
    return quiet()
  }
  return { ...test, context, chat, view, quiet, say }
}

/** A plan as a Planner writes it. */
export const aPlan = {
  goal: 'Say hello',
  steps: [
    { step_number: 1, action: 'Create hello.txt', reason: 'It is wanted', tools_needed: ['create'], estimated_time: '1 min' },
    { step_number: 2, action: 'Run the tests', reason: 'To be sure', tools_needed: ['run'], estimated_time: '1 min' },
  ],
  estimated_total_time: '2 min',
  risks: [],
  prerequisites: [],
}

export const aQuestion = {
  type: 'question',
  question: 'Also update the tests?',
  context: 'They use the old name',
  severity: 'minor',
  options: [
    { label: 'Yes', value: 'yes', description: 'Update them' },
    { label: 'No', value: 'no', description: 'Leave them' },
  ],
  default: 'no',
}
