import { playRun } from '../../agent/loop.ts'
import { startRun } from '../../agent/run/start.ts'
import { agentFrom } from '../../config/open-agent.ts'
import type { RunEvent } from '../../domain/event.ts'
import { scriptedProvider } from '../../providers/script/scripted.ts'
import type { Story, ToolResult } from './story.ts'
import type { DemoContext } from './context.ts'

const SOURCE = 'src/parse-price.js'

/** What the demo's villain tries in a role that only reads: no good model does this, which is why the wall must not depend on the model. */
const writes = [
  { tool: 'create_file', input: { path: 'backdoor.js', content: 'boom' } },
  { tool: 'update_file', input: { path: SOURCE, old_text: 'amount', new_text: 'boom' } },
  { tool: 'delete_file', input: { path: SOURCE } },
  { tool: 'execute_command', input: { command: `rm ${SOURCE}` } },
]

/** A model that ignores its role, before the gate and before the sandbox. */
export async function playWalls(world: DemoContext, story: Story): Promise<void> {
  const { sandbox } = world.parts
  story.scene('1 · A role is a boundary, not a prompt', 'A model that ignores its instructions, first as a Planner, then as a Tester.')
  const planner = await play(world, story, 'planner', writes)
  story.enforced(
    `The gate refused all ${planner.length} calls of the Planner.`,
    planner.every(({ outcome }) => outcome === 'denied'),
  )
  const command = `echo boom > ${SOURCE} && cat ${SOURCE}`
  const [tester] = await play(world, story, 'tester', [{ tool: 'execute_command', input: { command } }])
  if (sandbox.kind === 'none') {
    story.enforced('Without a sandbox a Tester gets no command at all, instead of a free shell.', tester?.outcome === 'denied')
  } else {
    const wrote = tester?.outcome === 'ok' && tester.output.includes('boom')
    story.enforced('The Tester may run commands; what this one wrote was in a layer that is thrown away.', wrote)
  }
  story.enforced('git sees no change in the project.', (await world.changes()) === '')
}

/** One run whose model only says what the demo wants tried. */
async function play({ parts, project, signal }: DemoContext, story: Story, role: string, calls: readonly object[]): Promise<ToolResult[]> {
  const provider = scriptedProvider([{ calls: calls.map((call) => ({ tool: '', input: {}, ...call })) }, { text: 'I give up.' }])
  const results: ToolResult[] = []
  const onEvent = (event: RunEvent) => {
    story.hear(event)
    if (event.type === 'tool_result') results.push(event)
  }
  const agent = { ...agentFrom({ ...parts, onEvent }), chosenModelFor: async () => ({ provider, model: 'a villain' }) }
  story.step(`${role}: a model tries ${calls.length === 1 ? 'a command that writes' : 'everything that writes'}`)
  await playRun(
    agent,
    await startRun(agent, { agent_role: role, model: 'rehearsal', workspace: project, prompt: 'Look at this project.' }),
    signal,
  )
  return results
}
