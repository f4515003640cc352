import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from '../domain/entry.ts'
import type { RunEvent } from '../domain/event.ts'
import { Limits, type Run } from '../domain/run.ts'
import type { ModelRequest } from '../providers/provider.ts'
import { scriptedProvider } from '../providers/script/scripted.ts'
import type { StepInput } from '../providers/script/script.ts'
import { DelegationLimits } from '../roles/delegation.ts'
import { loadRoles } from '../roles/load.ts'
import type { Stored } from '../store/collection.ts'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { openTestStore } from '../store/test-store.ts'
import { entries } from '../store/run-tables.ts'
import { allTools } from '../tools/all.ts'
import { aTool } from '../tools/test-gate.ts'
import type { Tool, ToolBody } from '../tools/tool.ts'
import type { AgentContext } from './agent.ts'
import { holderId } from '../sandbox/process/holder.ts'
import { playRun } from './loop.ts'
import type { ProcessContext, FolderContext } from './folder-context.ts'
import { resumeRun } from './run/resume.ts'
import { startRun, type RunRequest } from './run/start.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'

/** An agent on a real store, a temporary workspace and a script instead of a model. */
export interface TestAgent {
  agent: AgentContext
  workspace: string
  events: RunEvent[]
  requests: ModelRequest[]
  start: (request?: Partial<RunRequest>) => Promise<Stored<Run>>
  play: (request?: Partial<RunRequest>, signal?: AbortSignal) => Promise<Run>
  /** Takes a run up again, as another process would, and plays it on. */
  resume: (runId: string) => Promise<Run>
  thread: (run: Run) => Promise<Entry[]>
}

export async function testAgent(
  t: Cleanup,
  replies: readonly StepInput<ModelRequest>[],
  over: Partial<AgentContext> = {},
): Promise<TestAgent> {
  const workspace = await testFolder(t)
  const driver = over.driver ?? (await openTestStore(t))
  const events: RunEvent[] = []
  const requests: ModelRequest[] = []
  const provider = scriptedProvider(replies)
  const watched = {
    ...provider,
    ask: (...[request, ...rest]: Parameters<typeof provider.ask>) => {
      requests.push({ ...request, entries: [...request.entries] })
      return provider.ask(request, ...rest)
    },
  }
  const chosenModelFor = async () => ({ provider: watched, model: 'test' })
  const agent = await plainAgent({ driver, chosenModelFor, onEvent: (event) => void events.push(event), ...over })
  const start = (request: Partial<RunRequest> = {}) =>
    startRun(agent, { agent_role: 'actor', model: 'scripted/test', workspace, prompt: 'do it', ...request })
  const play = async (request: Partial<RunRequest> = {}, signal = new AbortController().signal) =>
    playRun(agent, await start(request), signal)
  const resume = async (runId: string) => playRun(agent, await resumeRun(agent, runId), new AbortController().signal)
  const thread = (run: Run) => entries.items(driver, { where: { thread_id: run.thread_id }, order: ['number'] })
  return { agent, workspace, events, requests, start, play, resume, thread }
}

/** An agent as a program would put it together, with the built-in roles and every tool. */
export async function plainAgent(parts: Pick<AgentContext, 'driver' | 'chosenModelFor'> & Partial<AgentContext>): Promise<AgentContext> {
  return {
    roles: await loadRoles({}),
    tools: allTools,
    delegation: DelegationLimits.parse({}),
    approvals: { tools: { delegate: 'allow' }, never_ask: false }, // who starts changes through others is asked about in tests of its own
    sandbox: { kind: 'bubblewrap' }, // what a role may do must not depend on the machine; who runs commands finds out what there is
    commands: commandSettingsWith(),
    now: () => new Date(),
    onEvent: () => undefined,
    ...parts,
  }
}

const modelFor: FolderContext['modelFor'] = (_, chosen) => chosen ?? 'scripted/test'

/** A ground on which the same holds in every folder. */
export function plainGround(agent: AgentContext, more: Partial<FolderContext> = {}): ProcessContext {
  const place: FolderContext = { agent, modelFor, needModel: async () => undefined, limits: Limits.parse({}), roleFolders: {}, ...more }
  return { ...place, at: async () => place }
}

/** A tool that waits to be stopped, as a command would. */
export function waiter(started: () => void): Tool {
  const run: ToolBody<object>['run'] = async (_input, { signal }) => {
    const stopped = sleep(2 ** 31 - 1, { output: '' }, { signal })
    started()
    return stopped
  }
  return aTool('wait', run, ['execute_commands'])
}

/** A name that no living process answers to, as a killed one leaves it behind. */
export function goneHolder(): string {
  return holderId().replace(/\d+\/\d+$/, '4194303/1')
}

/** A thread in short: who spoke, and how each call ended. */
export function outcomesOf(thread: readonly Entry[]): string[] {
  return thread.map((entry) => {
    if (entry.from === 'tool') return `${entry.tool} ${entry.outcome}`
    return entry.from === 'note' ? `note ${entry.type}` : entry.from
  })
}
