import { goneHolder, plainGround, testAgent, type TestAgent } from '../../agent/test-agent.ts'
import type { AgentContext } from '../../agent/agent.ts'
import { Workflow } from '../../domain/workflow/workflow.ts'
import type { PlayRequest, WorkflowPlay } from '../../domain/workflow/play.ts'
import type { ModelRequest } from '../../providers/provider.ts'
import type { StepInput } from '../../providers/script/script.ts'
import type { Driver } from '../../store/driver.ts'
import type { Cleanup } from '../../sandbox/test-folder.ts'
import { runs, workflowPlays } from '../../store/tables.ts'
import type { CatalogueEntry } from '../files/catalogue.ts'
import { answerPlay } from './answer.ts'
import { waitingQuestion } from './question.ts'
import { openPlayContext, type PlayNews, type PlayContext } from './context.ts'
import { startPlay } from './start.ts'
import { playWorkflow } from './play.ts'
import { contentHash } from '../files/read.ts'

/** A context on a real store with a script instead of a model. */
export interface TestPlay extends TestAgent {
  context: PlayContext
  news: PlayNews[]
  begin: (workflow: object, request?: Partial<PlayRequest>) => Promise<WorkflowPlay>
  carryOn: (id: string) => Promise<WorkflowPlay>
  /** Answers the waiting question by the value of an option, or in words. */
  say: (id: string, given: { value?: string; text?: string }) => Promise<WorkflowPlay>
  asked: (id: string) => Promise<string>
}

export async function testPlay(
  t: Cleanup,
  replies: readonly StepInput<ModelRequest>[],
  over: Partial<AgentContext> = {},
): Promise<TestPlay> {
  const test = await testAgent(t, replies, over)
  const news: PlayNews[] = []
  const context = openPlayContext(plainGround(test.agent), (told) => void news.push(told))
  const { driver, now } = test.agent
  const carryOn = (id: string) => playWorkflow(context, id, new AbortController().signal)
  return {
    ...test,
    context,
    news,
    carryOn,
    begin: async (workflow, request = {}) => {
      const play = await startPlay(context, anEntry(workflow), { workspace: test.workspace, ...request })
      return carryOn(play.id)
    },
    say: async (id, given) => {
      await answerPlay(driver, id, given, 'ada', now())
      return carryOn(id)
    },
    asked: async (id) => (await waitingQuestion(driver, id))?.content.question ?? '',
  }
}

/** Carries a play on until it is over, giving every question the same answer. */
export async function toTheEnd(context: PlayContext, id: string, given: { value?: string; text?: string }): Promise<WorkflowPlay> {
  const { driver, now } = context.agent
  for (;;) {
    const { item } = await workflowPlays.get(driver, id)
    if (item.status === 'completed') return item
    const question = await waitingQuestion(driver, id)
    if (question?.status === 'pending') await answerPlay(driver, id, given, 'ada', now())
    const { status, message } = await playWorkflow(context, id, new AbortController().signal)
    if (status === 'failed' || status === 'stopped') throw new Error(`${status}: ${message}`)
  }
}

/** A workflow of a project, from its steps or in whole. */
export function anEntry(more: object): CatalogueEntry {
  const workflow = Workflow.parse({ id: 'example', name: 'Example', description: 'For a test.', version: '1.0.0', ...more })
  return { workflow, hash: contentHash(workflow), source: 'project', file: 'example.json', shadows: [] }
}

/** The call by which an agent hands in a step. */
export function finish(output: string, context: Record<string, unknown> = {}) {
  return { calls: [{ tool: 'finish_step', input: { output, context } }] }
}

/** A store that dies at its nth write, as it would for a process that is killed there. */
export function mortal(driver: Driver, writes: number): Driver {
  let left = writes
  const spend = (): void => {
    if (left <= 0) throw new Error('killed')
    left -= 1
  }
  return {
    ...driver,
    query: async (sql, params) => {
      if (left <= 0 || !/^\s*select/i.test(sql)) spend()
      return driver.query(sql, params)
    },
    transaction: async (work) => {
      spend()
      return driver.transaction(work)
    },
  }
}

/** Makes whatever this process holds look as if its holder were dead. */
export async function bury(driver: Driver): Promise<void> {
  const gone = goneHolder()
  for (const was of await workflowPlays.list(driver)) {
    if (was.item.holder !== null) await workflowPlays.replace(driver, was, { ...was.item, holder: gone })
  }
  for (const was of await runs.list(driver)) if (was.item.holder !== null) await runs.replace(driver, was, { ...was.item, holder: gone })
}
