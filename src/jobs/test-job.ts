import type { TestContext } from 'node:test'
import type * as z from 'zod'
import type { AgentContext } from '../agent/agent.ts'
import { plainGround, testAgent, type TestAgent } from '../agent/test-agent.ts'
import type { Job } from '../domain/job/job.ts'
import { perform } from '../domain/operation.ts'
import type { Interaction, JobInteraction } from '../domain/job/history.ts'
import type { ModelRequest } from '../providers/provider.ts'
import type { StepInput } from '../providers/script/script.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { makeTestRepository } from '../worktrees/test-repository.ts'
import type { Repository } from '../worktrees/repository.ts'
import { jobInteractions, jobs } from '../store/tables.ts'
import { createJob } from './create.ts'
import { interactionsInFiles } from './view/history-file.ts'
import type { JobContext } from './context.ts'
import { stepJob } from './step/step.ts'

/** A job on a real repository and a real store, with a script instead of a model. */
export interface TestJob extends TestAgent {
  context: JobContext
  repository: Repository
  job: () => Promise<Job>
  step: () => Promise<Job>
  /** Steps until a person is needed or all is done. */
  run: () => Promise<Job>
  history: () => Promise<JobInteraction[]>
  /** How each exchange of it was answered. */
  answers: () => Promise<string[]>
}

export const never = new AbortController().signal

export async function testJobs(
  t: TestContext,
  replies: readonly StepInput<ModelRequest>[],
  settings: Record<string, unknown> = {},
  over: Partial<AgentContext> = {},
): Promise<TestJob> {
  const sandbox = await detectSandbox() // the checks of a job are run for real
  const test = await testAgent(t, replies, { secrets: ['a-very-secret-value'], sandbox, ...over })
  const repository = await makeTestRepository(t)
  const jobsDir = await testFolder(t)
  const context: JobContext = { ...plainGround(test.agent), jobsDir }
  await makeJob(context, { id: 'demo', source: repository.root, spec: { objective: 'Say hello', ...settings }, activate: true })
  const { driver } = test.agent
  const job = async () => (await jobs.get(driver, 'demo')).item
  const step = () => stepJob(context, 'demo', never)
  const history = () => jobInteractions.items(driver, { where: { job_id: 'demo' }, order: ['sequence'] })
  return {
    ...test,
    context,
    repository,
    job,
    step,
    run: async () => {
      let now = await job()
      while (now.status === 'PENDING' || now.status === 'REVIEW_REQUIRED') now = await step()
      return now
    },
    history,
    answers: async () => (await history()).map(({ interaction: { response } }) => response.status),
  }
}

/** Makes a job from as much as a test wants to say of it. */
export function makeJob(context: JobContext, given: z.input<typeof createJob.input>): Promise<Job> {
  return perform(createJob, context, given)
}

/** The whole history as its files tell it. */
export async function readHistoryFiles(job: Job): Promise<Interaction[]> {
  const found: Interaction[] = []
  for await (const interaction of interactionsInFiles(job)) found.push(interaction)
  return found
}

/** An exit command as an agent writes it. */
export function exit(action: string, evidence_files: string[] = [], summary_for_supervisor = `${action} it is`): string {
  return JSON.stringify({ action, evidence_files, summary_for_supervisor })
}

/** A turn that makes a file. */
export function makes(path: string, content = 'hello\n') {
  return { calls: [{ tool: 'create_file', input: { path, content } }] }
}
