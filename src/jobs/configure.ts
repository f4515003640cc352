import type { Job, JobSettings } from '../domain/job/job.ts'
import { Problem } from '../domain/problem.ts'
import { writeWhole } from '../sandbox/files/write-whole.ts'
import { jobs } from '../store/tables.ts'
import { attachFiles, checkAttachments } from './step/attachments.ts'
import { checkSeats, settingsOver } from './create.ts'
import { placesOf, writeManifest } from './view/files.ts'
import { placeInQueue } from './queue.ts'
import type { JobContext } from './context.ts'
import { jobTaskText } from './step/task-text.ts'
import { movedSource, repairSource } from './workspace.ts'

export interface JobChange {
  settings?: Readonly<Record<string, unknown>> | undefined
  files?: readonly string[] | undefined
  source?: string | undefined
  rank?: number | undefined
}

/** What may still change after activation: the task itself is settled then. */
const ALWAYS: readonly string[] = ['limits', 'roles', 'checks', 'auto_approve', 'description']

/** Changes the settings of a job. The text of the task can be changed while it is a draft; never its state, which only moves change. */
export async function configureJob(context: JobContext, jobId: string, change: JobChange): Promise<Job> {
  const { driver, now } = context.agent
  const { item: before } = await jobs.get(driver, jobId)
  const settings = change.settings ?? {}
  await checkChange(context, before, change)
  if (change.files) await attachFiles(before, change.files)
  const source = change.source === undefined ? null : await repairSource(before, change.source)
  const saved = await driver.transaction(async (tx) => {
    const was = await jobs.get(tx, jobId)
    const next = { ...was.item, ...settingsOver(was.item, settings) }
    return jobs.replace(tx, was, {
      ...next,
      git_source_repo: source ?? next.git_source_repo,
      updated_at: now().toISOString(),
    })
  })
  if (change.rank !== undefined) await placeInQueue(driver, jobId, change.rank)
  const { item: job } = change.rank === undefined ? saved : await jobs.get(driver, jobId)
  if (job.base_commit !== null) await writeWhole(placesOf(job).prompt, `${jobTaskText(job)}\n`)
  await writeManifest(driver, job, now())
  return job
}

/** The settings as they would be, or why the change cannot be made; nothing is written. */
export async function checkChange(context: JobContext, before: Job, change: JobChange): Promise<JobSettings> {
  const { settings = {}, files = [], source, rank } = change
  const changed = settingsOver(before, settings)
  refuseSettled(before, settings)
  if (rank !== undefined && before.status === 'DRAFT') throw unqueued(before.id)
  await checkAttachments(files)
  const git_source_repo = source === undefined ? before.git_source_repo : await movedSource(before, source)
  if (settings['roles'] !== undefined) await checkSeats(context, { roles: changed.roles, git_source_repo })
  return changed
}

/** A place that activation would take away again is refused rather than lost. */
export function unqueued(jobId: string): Problem {
  return new Problem(
    'move_refused',
    `the draft ${jobId} is in no queue yet; give it its place with troupe job activate ${jobId} --rank PLACE`,
  )
}

function refuseSettled(job: Job, settings: Readonly<Record<string, unknown>>): void {
  if (job.status === 'DRAFT') return
  const settled = Object.keys(settings).filter((key) => !ALWAYS.includes(key))
  if (settled.length === 0) return
  throw new Problem(
    'move_refused',
    `${settled.join(', ')} of ${job.id} cannot be changed now that it is ${job.status}; tell its agents with resubmit NOTE or reject REASON`,
  )
}
