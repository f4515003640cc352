import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestContext } from 'node:test'
import { detectSandbox } from '../../sandbox/detect.ts'
import { endOpenWork } from '../../sandbox/process/at-end.ts'
import { testFolder } from '../../sandbox/test-folder.ts'
import type { AgentContext } from '../agent.ts'
import type { OutsideAgent } from '../outside.ts'
import { testAgent } from '../test-agent.ts'
import { acpAgentModel } from './performer.ts'

type Step = Record<string, unknown>

/** What a test has an agent do; see `test-agent.mjs`. */
export interface Behaviour {
  prompts?: readonly (readonly Step[])[]
  options?: readonly object[]
  error?: object
  stop?: string
  version?: number
  mute?: boolean
  deaf?: boolean
  login?: boolean
  /** A file for every frame either way. */
  log?: string
}

/** The settings of an agent that does what a test says. */
export async function scriptedOutside(t: TestContext, behaviour: Behaviour): Promise<OutsideAgent> {
  const own = await testFolder(t)
  const script = join(own, 'agent.mjs')
  await copyFile(fileURLToPath(new URL('test-agent.mjs', import.meta.url)), script)
  const { execPath } = process
  return { name: 'outsider', command: execPath, args: [script, JSON.stringify(behaviour)], env: {}, mounts: [own], protocol: 'acp' }
}

/** A run that such an agent plays, as a program would have it. */
export async function withAcpAgent(t: TestContext, behaviour: Behaviour, over: Partial<AgentContext> = {}) {
  const outside = await scriptedOutside(t, behaviour)
  const sandbox = await detectSandbox()
  t.after(endOpenWork)
  const scene = await testAgent(t, [], {
    sandbox,
    chosenModelFor: async (run, choice) =>
      acpAgentModel({ outside, run, sandbox, approvals: choice?.approvals, driver: scene.agent.driver }),
    ...over,
  })
  return { ...scene, script: outside.args[0] ?? '' }
}
