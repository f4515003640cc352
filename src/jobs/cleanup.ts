import { existsSync } from 'node:fs'
import { isFinal } from '../domain/flow.ts'
import { jobFlow } from '../domain/job/flow.ts'
import type { Job } from '../domain/job/job.ts'
import { asProblem, Problem } from '../domain/problem.ts'
import { jobs } from '../store/tables.ts'
import { removeWorktree } from '../worktrees/worktree.ts'
import type { JobContext } from './context.ts'
import { sourceOf } from './workspace.ts'

export interface Cleaned {
  job_id: string
  workspace: string
  /** The ref that keeps the work; null on a dry run. */
  kept_as: string | null
  /** Why the workspace stays; null where nothing is in the way. */
  problem: Problem | null
}

/** Takes the workspaces and branches of finished jobs away. Their work is kept under a ref, their history stays; one that cannot be taken away holds up no other. */
export async function cleanUp(context: JobContext, { jobId, dryRun }: { jobId?: string | undefined; dryRun: boolean }): Promise<Cleaned[]> {
  const { driver } = context.agent
  const final = jobFlow.states.filter((state) => isFinal(jobFlow, state))
  const found = jobId === undefined ? await jobs.items(driver, { where: { status: final } }) : [(await jobs.get(driver, jobId)).item]
  const cleaned: Cleaned[] = []
  for (const job of found) {
    if (!isFinal(jobFlow, job.status) || job.active !== null || !existsSync(job.workspace)) continue
    const kept = dryRun ? null : await remove(job).catch(asProblem)
    const fate = kept instanceof Problem ? { kept_as: null, problem: kept } : { kept_as: kept, problem: null }
    cleaned.push({ job_id: job.id, workspace: job.workspace, ...fate })
  }
  return cleaned
}

async function remove(job: Job): Promise<string | null> {
  return removeWorktree(await sourceOf(job), { path: job.workspace, branch: job.branch }, `jobs/${job.id}/final`)
}
