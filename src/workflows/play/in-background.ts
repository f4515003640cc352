import { resolve } from 'node:path'
import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { Question } from '../../domain/question.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import { PlayRequest } from '../../domain/workflow/play.ts'
import { workflowPlays } from '../../store/tables.ts'
import type { WorkflowPlayContext } from '../context.ts'
import { runIdOf } from '../handle.ts'
import { WorkflowId } from '../show.ts'
import { answerPlay } from './answer.ts'
import { playContextOf, playWorkflowInBackground, refusePlayTaken } from './play.ts'
import { startPlay } from './start.ts'
import { RunName } from './view.ts'

const absent = {
  cli: 'the terminal plays it in the foreground: workflow run',
  dry_run: 'an agent starts to work, which no transaction takes back',
}
const Started = z.object({ run: z.string() })
const example = { run: 'wf_Zk3vQ0aXn7Lr2mTc5YbPd8Ws' }

export const playInBackground = defineOperation({
  name: 'workflow.play',
  summary: "Play a workflow with Troupe's own agent",
  by: ['person'],
  effect: 'change',
  absent,
  input: z.strictObject({ workflowId: WorkflowId, ...PlayRequest.partial({ workspace: true }).shape }),
  output: Started,
  example: { workflowId: 'feature-planning', agent_role: 'actor' },
  tell: ({ run }) => `Started: ${run}`,
  run: async ({ catalogue, project, plays }: WorkflowPlayContext, { workflowId, workspace = project, ...request }) => {
    const { id } = await startPlay(plays, await catalogue.find(workflowId), { ...request, workspace: resolve(workspace) })
    playWorkflowInBackground(plays, id)
    return { run: id }
  },
})

export const answerInBackground = defineOperation({
  name: 'workflow.answer',
  summary: 'Answer the question of a played workflow; it continues at once',
  by: ['person'],
  effect: 'change',
  absent,
  input: z.strictObject({
    run: RunName,
    question_id: z.string().optional().describe('the question you read; refused when another one is open by now'),
    value: z.string().optional(),
    text: z.string().max(20_000).optional(),
  }),
  output: Question,
  example: { ...example, value: 'confirm' },
  tell: ({ status }) => `The question is ${status}`,
  run: async (context: WorkflowPlayContext, { run: named, ...given }) => {
    const run = runIdOf(named)
    const question = await answerPlay(await context.store(), run, definedOnly(given), 'user', context.now())
    await context.plays.playing.get(run)?.done // it asks a moment before it has stored that it waits
    await carryOn(context, run)
    return question
  },
})

export const continueInBackground = defineOperation({
  name: 'workflow.continue',
  summary: 'Continue a workflow that was interrupted, stopped or failed',
  by: ['person'],
  effect: 'change',
  absent,
  input: z.strictObject({ run: RunName }),
  output: Started,
  example,
  tell: ({ run }) => `Started: ${run}`,
  run: async (context: WorkflowPlayContext, { run: named }) => {
    const run = runIdOf(named)
    await carryOn(context, run)
    return { run }
  },
})

/** Refused here, where a person hears of it, rather than in the background. */
async function carryOn({ store, plays }: WorkflowPlayContext, run: string): Promise<void> {
  const driver = await store()
  await refusePlayTaken(driver, (await workflowPlays.get(driver, run)).item)
  await playContextOf(plays, run)
  playWorkflowInBackground(plays, run)
}
