import { freshCount, moveJob, withNote } from '../domain/job/decide.ts'
import { bySeat } from '../domain/job/flow.ts'
import type { JobInteraction } from '../domain/job/history.ts'
import type { Job } from '../domain/job/job.ts'
import { keepUnderRef } from '../worktrees/branch.ts'
import { gitText } from '../worktrees/repository.ts'
import { jobs } from '../store/tables.ts'
import { fileTime } from './view/files.ts'
import { everyInteraction, interactionAt } from './view/history.ts'
import { changeJob } from './step/save.ts'
import type { JobContext } from './context.ts'
import { readyWorkspace, sourceOf } from './workspace.ts'

export interface RestepRequest {
  sequence: number
  /** Also bring the workspace back to the commit that step began with. */
  rollback: boolean
  note?: string | undefined
}

/** Goes back to an earlier step, to make it again. History and costs stay; work that is rolled back is kept under a ref. */
export async function restepJob(context: JobContext, jobId: string, { sequence, rollback, note = '' }: RestepRequest): Promise<Job> {
  const { driver, now } = context.agent
  const step = await interactionAt(driver, jobId, sequence)
  const { item: job } = await jobs.get(driver, jobId)
  const { again: name } = bySeat[step.seat]
  moveJob(job, name, 'steward') // refused before the workspace is touched
  const phase = step.interaction.request.metadata.phase
  const phase_commit = await startOfPhase(context, jobId, phase, step)
  const head_commit = rollback ? await rollBack(job, step.commit_before, now()) : await readyWorkspace(job)
  return changeJob(driver, jobId, now(), (was) => {
    const moved = moveJob(was, name, 'steward', note === '' ? `back to interaction ${sequence}` : note)
    const fresh = { ...freshCount(moved.job), feedback: [], current_phase: phase, phase_commit, head_commit }
    return { ...moved, job: withNote(fresh, 'steward', note, now()) }
  })
}

/** The commit a phase began with: that of its first step. */
async function startOfPhase({ agent: { driver } }: JobContext, jobId: string, phase: string, step: JobInteraction): Promise<string> {
  for await (const { interaction, commit_before } of everyInteraction(driver, jobId)) {
    if (interaction.request.metadata.phase === phase) return commit_before
  }
  return step.commit_before
}

async function rollBack(job: Job, commit: string, now: Date): Promise<string> {
  const head = await readyWorkspace(job)
  await keepUnderRef(await sourceOf(job), `jobs/${job.id}/${fileTime(now)}`, head)
  await gitText(job.workspace, ['reset', '--quiet', '--hard', commit])
  return commit
}
