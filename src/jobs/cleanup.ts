import { existsSync } from 'node:fs'
import * as z from 'zod'
import { isFinal } from '../domain/flow.ts'
import { jobFlow } from '../domain/job/flow.ts'
import type { Job } from '../domain/job/job.ts'
import { defineOperation } from '../domain/operation.ts'
import { asProblem, Problem } from '../domain/problem.ts'
import { jobs } from '../store/tables.ts'
import { removeWorktree } from '../worktrees/worktree.ts'
import type { JobContext } from './context.ts'
import { NamedJob } from './steward/decision.ts'
import { JobProblem, problemOf } from './job-problem.ts'
import { sourceOf } from './workspace.ts'

/** A workspace that was taken away, or would be. */
type Cleaned = z.infer<typeof Cleaned>
const Cleaned = z.object({
  job_id: z.string(),
  workspace: z.string(),
  kept_as: z.string().nullable().describe('the ref that keeps the work; null on a dry run'),
  problem: JobProblem.nullable().describe('why the workspace stays; null where nothing is in the way'),
})

/** Their work is kept under a ref, their history stays; one that cannot be taken away holds up no other. */
export const cleanUpJobs = defineOperation({
  name: 'job.cleanup',
  summary: 'Remove the workspace and branch of a finished job, or of all finished jobs',
  by: ['person'],
  effect: 'change',
  command: 'job cleanup [job]',
  input: NamedJob.partial(),
  output: z.object({ cleaned: z.array(Cleaned) }),
  example: { job: 'greet' },
  tell: ({ cleaned }) => cleaned.map(cleanedLine).join('\n') || 'Nothing to clean up',
  run: async ({ agent: { driver }, dry }: JobContext, { job: id }) => {
    const final = jobFlow.states.filter((state) => isFinal(jobFlow, state))
    const found = id === undefined ? await jobs.items(driver, { where: { status: final } }) : [(await jobs.get(driver, id)).item]
    const cleaned: Cleaned[] = []
    for (const job of found) {
      if (!isFinal(jobFlow, job.status) || job.active !== null || !existsSync(job.workspace)) continue
      const kept = dry === true ? null : await removeWorkspace(job).catch(asProblem)
      const fate = kept instanceof Problem ? { kept_as: null, problem: problemOf(job.id, kept) } : { kept_as: kept, problem: null }
      cleaned.push({ job_id: job.id, workspace: job.workspace, ...fate })
    }
    return { cleaned }
  },
})

async function removeWorkspace(job: Job): Promise<string | null> {
  return removeWorktree(await sourceOf(job), { path: job.workspace, branch: job.branch }, `jobs/${job.id}/final`)
}

function cleanedLine({ job_id, workspace, kept_as, problem }: Cleaned): string {
  if (problem !== null) return `${job_id}: ${workspace} stays: ${problem.message}`
  return `${job_id}: ${workspace}${kept_as === null ? '' : ` → ${kept_as}`}`
}
