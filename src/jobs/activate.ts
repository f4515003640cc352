import { moveJob, type Moved } from '../domain/job/decide.ts'
import type { Job } from '../domain/job/job.ts'
import { Problem } from '../domain/problem.ts'
import { writeWhole } from '../sandbox/files/write-whole.ts'
import { commitOf } from '../worktrees/repository.ts'
import { jobs } from '../store/tables.ts'
import { placesOf, writeManifest } from './view/files.ts'
import { placeInQueue } from './queue.ts'
import { saveMoved } from './step/save.ts'
import type { JobContext } from './context.ts'
import { jobTaskText } from './step/task-text.ts'
import { makeWorkspace, sourceOf } from './workspace.ts'

/** Makes a draft ready to be worked on: its base is recorded, its workspace made, its task written down, its place in the queue taken. */
export async function activateJob(context: JobContext, jobId: string, rank = -1): Promise<Job> {
  const { driver, now } = context.agent
  const { item: draft } = await jobs.get(driver, jobId)
  activation(draft) // refused before anything is made
  const base_commit = draft.base_commit ?? (await recordBase(context, draft))
  await makeWorkspace({ ...draft, base_commit }, base_commit)
  await writeWhole(placesOf(draft).prompt, `${jobTaskText(draft)}\n`)
  await driver.transaction(async (tx) => {
    const was = await jobs.get(tx, jobId)
    const moved = activation(was.item)
    const current_phase = was.item.phases[0]?.name ?? 'default'
    const commits = { base_commit, phase_commit: base_commit, head_commit: base_commit }
    await saveMoved(tx, was, { ...moved, job: { ...moved.job, ...commits, current_phase } }, now())
  })
  await placeInQueue(driver, jobId, rank)
  const { item } = await jobs.get(driver, jobId)
  await writeManifest(driver, item, now())
  return item
}

/** What makes a draft ready, unless it says nothing to do. */
export function activation(draft: Job): Moved {
  const moved = moveJob(draft, 'activate', 'steward')
  if (jobTaskText(draft) !== '') return moved
  throw new Problem(
    'bad_input',
    `the job ${draft.id} says nothing to do; give it an objective: troupe job config ${draft.id} --objective TEXT`,
  )
}

/** Recorded before the branch is made, so that a second try after a crash starts from the same commit. */
async function recordBase({ agent: { driver } }: JobContext, draft: Job): Promise<string> {
  const { root } = await sourceOf(draft)
  const base_commit = await commitOf(root, draft.base)
  await driver.transaction(async (tx) => {
    const was = await jobs.get(tx, draft.id)
    await jobs.replace(tx, was, { ...was.item, base_commit })
  })
  return base_commit
}
