import { activateJob } from './steward/activate.ts'
import { approveJob } from './steward/approve.ts'
import { startJob } from './background.ts'
import { cancelJob } from './steward/cancel.ts'
import { chatAboutJob } from './chat.ts'
import { cleanUpJobs } from './cleanup.ts'
import { configureJob } from './steward/configure.ts'
import { createJob } from './create.ts'
import { mergeJob } from './merge.ts'
import { poststepJob } from './steward/poststep.ts'
import { rankJob } from './queue.ts'
import { rejectJob } from './steward/reject.ts'
import { askOthers } from './replay/counterfactual.ts'
import { replayJob } from './replay/replay.ts'
import { restepJob } from './steward/restep.ts'
import { resubmitJob } from './steward/resubmit.ts'
import { recoverJobs } from './step/recover.ts'
import { resumeJob, suspendJob } from './steward/suspend.ts'
import { diffJob, exportJob } from './view/diff.ts'
import { readFixture, readHistory } from './view/history.ts'
import { jobStatus, listJobs, showJob } from './view/job.ts'
import { measureJobs } from './view/metrics.ts'
import { previewStep } from './view/preview.ts'
import { readSchema } from './view/schema.ts'
import { readTimeline } from './view/timeline.ts'

/** What needs the store alone: neither roles nor a sandbox are opened for it. */
export const jobReads = [
  listJobs,
  jobStatus,
  showJob,
  readTimeline,
  readHistory,
  readFixture,
  replayJob,
  measureJobs,
  diffJob,
  readSchema,
] as const

/** What may need agents, or changes something. */
export const jobActs = [
  createJob,
  configureJob,
  rankJob,
  activateJob,
  previewStep,
  startJob,
  poststepJob,
  restepJob,
  recoverJobs,
  askOthers,
  chatAboutJob,
  approveJob,
  rejectJob,
  resubmitJob,
  suspendJob,
  resumeJob,
  cancelJob,
  mergeJob,
  exportJob,
  cleanUpJobs,
] as const

/** What can be done with jobs. */
export const jobOperations = [...jobReads, ...jobActs] as const
