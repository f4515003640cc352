import { moveJob, type Moved } from '../../domain/job/decide.ts'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { writeWhole } from '../../sandbox/files/write-whole.ts'
import { commitOf } from '../../worktrees/repository.ts'
import { jobs } from '../../store/tables.ts'
import type { JobContext } from '../context.ts'
import { JobDecision, tellJob } from './decision.ts'
import { placeInQueue, QueuePlace } from '../queue.ts'
import { refuseUnread, saveMoved } from '../step/save.ts'
import { jobTaskText } from '../step/task-text.ts'
import { jobFilePlaces, writeManifest } from '../view/files.ts'
import { makeWorkspace, sourceOf } from '../workspace.ts'

/** What is done outside the store is done first: whoever dies in between leaves a draft that can be activated again. */
export const activateJob = defineOperation({
  name: 'job.activate',
  summary: 'Activate a draft: record its base, create its workspace and queue it',
  by: ['person'],
  effect: 'change',
  command: 'job activate [job]',
  input: JobDecision.extend({ rank: QueuePlace.default(-1) }),
  output: Job,
  example: { job: 'greet', rank: 0 },
  tell: tellJob,
  run: async (context: JobContext, { job: id, rank, moves }) => {
    const { driver, now } = context.agent
    const { item: draft } = await jobs.get(driver, id)
    refuseUnread(draft, moves)
    activated(draft) // refused before anything is made
    const base_commit = draft.base_commit ?? (await recordBase(context, draft))
    if (context.dry !== true) {
      await makeWorkspace({ ...draft, base_commit }, base_commit)
      await writeWhole(jobFilePlaces(draft).prompt, `${jobTaskText(draft)}\n`)
    }
    await driver.transaction(async (tx) => {
      const was = await jobs.get(tx, id)
      refuseUnread(was.item, moves)
      const moved = activated(was.item)
      const current_phase = was.item.phases[0]?.name ?? 'default'
      const commits = { base_commit, phase_commit: base_commit, head_commit: base_commit }
      await saveMoved(tx, was, { ...moved, job: { ...moved.job, ...commits, current_phase } }, now())
    })
    await placeInQueue(driver, id, rank)
    const { item } = await jobs.get(driver, id)
    await writeManifest(context, item)
    return item
  },
})

/** The move that makes a draft ready, unless it says nothing to do. */
function activated(draft: Job): Moved {
  const moved = moveJob(draft, 'activate', 'steward')
  if (jobTaskText(draft) !== '') return moved
  throw new Problem('bad_input', `the job ${draft.id} says nothing to do; give it an objective`, {
    next: [{ operation: 'job.configure', input: { job: draft.id, objective: 'TEXT' } }],
  })
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
