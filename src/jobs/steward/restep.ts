import * as z from 'zod'
import { freshCount, moveJob, withNote, type Moved } from '../../domain/job/decide.ts'
import { bySeat } from '../../domain/job/flow.ts'
import type { JobInteraction } from '../../domain/job/history.ts'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { keepUnderRef } from '../../worktrees/branch.ts'
import { gitText } from '../../worktrees/repository.ts'
import { jobs } from '../../store/tables.ts'
import { fileTime } from '../view/files.ts'
import { everyInteraction, interactionAt, InteractionNumber } from '../view/history.ts'
import { JobDecision, StewardNote, tellJob } from './decision.ts'
import { changeJob, refuseUnread } from '../step/save.ts'
import type { JobContext } from '../context.ts'
import { readyWorkspace, sourceOf } from '../workspace.ts'

/** History and costs stay; work that is rolled back is kept under a ref. */
export const restepJob = defineOperation({
  name: 'job.restep',
  summary: 'Go back to an earlier step and repeat it',
  by: ['person'],
  effect: 'change',
  command: 'job restep <job>',
  input: JobDecision.extend({
    step: InteractionNumber.describe('the interaction to go back to, numbered from 1'),
    rollback: z.boolean().default(false).describe('also bring the workspace back to its commit'),
    note: StewardNote.describe('what to do differently'),
  }),
  output: Job,
  example: { job: 'greet', step: 1, rollback: true },
  tell: tellJob,
  run: async (context: JobContext, { job: id, step: number, rollback, note, moves }) => {
    const { driver, now } = context.agent
    const step = await interactionAt(driver, id, number)
    const { item: job } = await jobs.get(driver, id)
    const { again: name } = bySeat[step.seat]
    refuseUnread(job, moves)
    moveJob(job, name, 'steward') // refused before the workspace is touched
    const phase = step.interaction.request.metadata.phase
    const phase_commit = await startOfPhase(context, id, phase, step)
    const head_commit = rollback ? await rollBack(context, job, step.commit_before) : await headOf(context, job)
    const change = (was: Job): Moved => {
      const moved = moveJob(was, name, 'steward', note === '' ? `back to interaction ${number}` : note)
      const fresh = { ...freshCount(moved.job), feedback: [], current_phase: phase, phase_commit, head_commit }
      return { ...moved, job: withNote(fresh, 'steward', note, now()) }
    }
    return changeJob(context, id, change, moves)
  },
})

/** The commit a phase began with: that of its first step. */
async function startOfPhase({ agent: { driver } }: JobContext, jobId: string, phase: string, step: JobInteraction): Promise<string> {
  for await (const { interaction, commit_before } of everyInteraction(driver, jobId)) {
    if (interaction.request.metadata.phase === phase) return commit_before
  }
  return step.commit_before
}

async function headOf({ dry }: JobContext, job: Job): Promise<string | null> {
  return dry === true ? job.head_commit : readyWorkspace(job)
}

async function rollBack({ agent, dry }: JobContext, job: Job, commit: string): Promise<string> {
  if (dry === true) return commit
  const head = await readyWorkspace(job)
  await keepUnderRef(await sourceOf(job), `jobs/${job.id}/${fileTime(agent.now())}`, head)
  await gitText(job.workspace, ['reset', '--quiet', '--hard', commit])
  return commit
}
