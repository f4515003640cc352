import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { runs } from '../store/run-tables.ts'
import type { AgentContext } from './agent.ts'
import type { ProcessContext } from './folder-context.ts'
import { playRun } from './loop.ts'
import { answerQuestion, isAsking, questionsOf, type GivenAnswer } from './person/answer.ts'
import { runInBackground, type Playing } from './run/background.ts'
import { resumeRun } from './run/resume.ts'
import { startRun } from './run/start.ts'
import { listingOf, RunListing } from './runs.ts'

/** Where a process plays runs: what holds in their folders, and what it plays at this moment. */
export interface RunPlayContext extends ProcessContext {
  playing: Playing
}

/** What a person says to a run they continue. */
type Resumption = GivenAnswer & { question?: string | undefined; prompt?: string | undefined }

/** Only of a run that belongs to nothing else: a chat, a workflow, a task or a job goes on by its own operations. */
const continueRun = defineOperation({
  name: 'run.resume',
  summary: 'Continue a run that was interrupted or is waiting; with a prompt, add to its thread',
  by: ['person'],
  effect: 'change',
  absent: {
    cli: 'the terminal plays the run in the foreground and shows it',
    dry_run: 'what an agent would say is not known before it is asked',
  },
  input: z.strictObject({
    run: z.string().min(1).describe('the id of a run'),
    prompt: z.string().min(1).max(200_000).optional().describe('what to do next'),
    value: z.string().optional().describe('answer its question by the value of an option'),
    text: z.string().max(20_000).optional().describe('answer it in your own words'),
    question: z.string().optional().describe('which question to answer when there are several'),
  }),
  output: RunListing,
  example: { run: 'run_01', value: 'yes' },
  tell: ({ run_id, status }) => `${run_id} is ${status}`,
  run: async (context: RunPlayContext, { run: id, ...said }) => {
    const { driver } = context.agent
    const { item: run } = await runs.get(driver, id)
    const { way, subject } = await listingOf(driver, run)
    if (way !== 'run') throw new Problem('bad_input', `${id} belongs to the ${way} ${subject}; continue it there`)
    const { agent } = await context.at(run.workspace)
    const held = await driver.transaction((tx) => takeUp({ ...agent, driver: tx }, run, said))
    if (held === null) return listingOf(driver, (await runs.get(driver, id)).item)
    runInBackground(context.playing, held.item.id, 'run', (signal) => playRun(agent, held, signal))
    return listingOf(driver, held.item)
  },
})

/** What carries runs on. */
export const runPlayOperations = [continueRun] as const

/** The run to play, or null where another answer is waited for still. */
async function takeUp(agent: AgentContext, run: Run, { prompt, question, ...answer }: Resumption): Promise<Stored<Run> | null> {
  if (prompt === undefined) return (await answerRun(agent, run, answer, question)) ? null : resumeRun(agent, run.id)
  const { agent_role, model, workspace, limits, reasoning, thread_id } = run
  return startRun(agent, { agent_role, model, workspace, prompt, limits, reasoning, thread_id })
}

/** Gives the answer, if there is one, to a run that is continued; whether it waits for another still. */
export async function answerRun(
  { driver, now }: { driver: Driver; now: () => Date },
  run: Run,
  answer: GivenAnswer,
  question?: string,
): Promise<boolean> {
  if (answer.value === undefined && answer.text === undefined) return false
  if (run.question_id === null) throw new Problem('bad_input', `the run ${run.id} is not waiting for an answer: it is ${run.status}`)
  const asked = [run.question_id, ...(await questionsOf(driver, run)).map(({ id }) => id)]
  if (question !== undefined && !asked.includes(question)) throw new Problem('not_found', `the run ${run.id} asked no question ${question}`)
  await answerQuestion(driver, question ?? run.question_id, answer, 'user', now())
  return isAsking(driver, (await runs.get(driver, run.id)).item)
}
