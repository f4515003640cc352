import { activateJob } from '../../jobs/activate.ts'
import { approveJob } from '../../jobs/approve.ts'
import { startInBackground } from '../../jobs/background.ts'
import { cancelJob } from '../../jobs/cancel.ts'
import { configureJob } from '../../jobs/configure.ts'
import { createJob } from '../../jobs/create.ts'
import { metricsOf } from '../../jobs/view/metrics.ts'
import { previewStep } from '../../jobs/view/preview.ts'
import { recoverJob } from '../../jobs/step/recover.ts'
import { rejectJob } from '../../jobs/reject.ts'
import { replayJob } from '../../jobs/replay/replay.ts'
import { diffOf } from '../../jobs/view/result.ts'
import { resubmitJob } from '../../jobs/resubmit.ts'
import type { JobContext } from '../../jobs/context.ts'
import { resumeJob, suspendJob } from '../../jobs/suspend.ts'
import { timelineOf } from '../../jobs/view/timeline.ts'
import { listJobs, viewJob } from '../../jobs/view/job.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver } from '../../store/driver.ts'
import { jobs } from '../../store/tables.ts'
import type { jobContract, StewardMove } from '../contract/job.ts'
import type { Handlers } from '../dispatch.ts'

export const jobHandlers: Handlers<keyof typeof jobContract> = {
  listJobs: async (_input, { driver }) => ({ jobs: await listJobs(driver) }),

  createJob: async ({ body: { id, source, base, activate, settings } }, { driver, jobs: { context } }) => {
    await createJob(context, { id, source, base, settings })
    if (activate) await activateJob(context, id)
    return viewJob(driver, id)
  },

  getJob: async ({ params }, { driver }) => viewJob(driver, params.id),

  configureJob: async ({ params, body }, { driver, jobs: { context } }) => {
    await configureJob(context, params.id, body)
    return viewJob(driver, params.id)
  },

  listExchanges: async ({ params, query }, { driver }) => timelineOf(driver, params.id, query),

  previewJob: async ({ params }, { jobs: { context } }) => previewStep(context, params.id),

  diffJob: async ({ params }, { driver }) => diffOf((await jobs.get(driver, params.id)).item),

  jobMetrics: async ({ query }, { driver }) => metricsOf(driver, query.job),

  replayJob: async ({ params, query }, { driver }) => replayJob(driver, params.id, query.from),

  moveJob: async ({ params, body }, { driver, jobs: { context } }) => {
    if (body.moves !== undefined) await refuseUnread(driver, params.id, body.moves)
    await decisions[body.move](context, params.id, body.note)
    return viewJob(driver, params.id)
  },

  stepJob: async ({ params, body }, services) => {
    await startInBackground(services.jobs, params.id, body.how_far)
    return { started: true }
  },
}

/** A page that slept must not approve a phase its reader has never seen. */
async function refuseUnread(driver: Driver, id: string, moves: number): Promise<void> {
  const { item } = await jobs.get(driver, id)
  if (item.moves === moves) return
  const now = `${item.status} in phase ${item.current_phase ?? 'default'}`
  throw new Problem('conflict', `${id} has moved on since you read it: it is ${now}; look at it again before you decide`)
}

/** What each decision of the Steward does. */
const decisions: Record<StewardMove, (stage: JobContext, id: string, note: string) => Promise<unknown>> = {
  activate: (context, id) => activateJob(context, id),
  approve: approveJob,
  reject: rejectJob,
  resubmit: resubmitJob,
  resubmit_review: (context, id, note) => resubmitJob(context, id, note, 'review'),
  suspend: suspendJob,
  resume: resumeJob,
  cancel: cancelJob,
  recover: recoverJob,
}
