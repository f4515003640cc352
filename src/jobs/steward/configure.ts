import * as z from 'zod'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { writeWhole } from '../../sandbox/files/write-whole.ts'
import { jobs } from '../../store/tables.ts'
import type { JobContext } from '../context.ts'
import { NamedJob } from './decision.ts'
import { needRoles, SettingFields, settingsIn, settingsOver } from '../settings.ts'
import { attachFiles, checkAttachments } from '../step/attachments.ts'
import { jobTaskText } from '../step/task-text.ts'
import { jobFilePlaces, writeManifest } from '../view/files.ts'
import { movedSource, repairWorktree } from '../workspace.ts'

/** What may still change after activation: the task itself is settled then. */
const ALWAYS: readonly string[] = ['limits', 'roles', 'checks', 'auto_approve', 'description']

/** The text of the task can be changed while the job is a draft; never its state, which only moves change. */
export const configureJob = defineOperation({
  name: 'job.configure',
  summary: 'Change the settings of a job; without any, show them',
  by: ['person'],
  effect: 'change',
  command: 'job config [job]',
  input: SettingFields.extend({
    ...NamedJob.shape,
    source: z.string().min(1).optional().describe('where the repository of the job is now'),
    file: z.array(z.string().min(1)).default([]).describe('files to attach, by their paths'),
  }),
  output: Job,
  example: { job: 'greet', max_cost_usd: 2 },
  tell: ({ id }) => `${id} is set up`,
  run: async (context: JobContext, { job: id, source, file, ...fields }) => {
    const { driver, now } = context.agent
    const { item: before } = await jobs.get(driver, id)
    const settings = settingsIn(fields)
    if (Object.keys(settings).length + file.length === 0 && source === undefined) return before
    const { roles } = settingsOver(before, settings)
    refuseSettled(before, settings)
    await checkAttachments(file)
    const git_source_repo = source === undefined ? before.git_source_repo : await movedSource(before, source)
    if (settings['roles'] !== undefined) await needRoles(context, { roles, git_source_repo })
    if (context.dry !== true) {
      await attachFiles(before, file)
      if (source !== undefined) await repairWorktree(before, git_source_repo)
    }
    const { item: job } = await driver.transaction(async (tx) => {
      const was = await jobs.get(tx, id)
      refuseSettled(was.item, settings)
      return jobs.replace(tx, was, {
        ...was.item,
        ...settingsOver(was.item, settings),
        ...(source !== undefined && { git_source_repo }),
        updated_at: now().toISOString(),
      })
    })
    if (job.base_commit !== null && context.dry !== true) await writeWhole(jobFilePlaces(job).prompt, `${jobTaskText(job)}\n`)
    await writeManifest(context, job)
    return job
  },
})

function refuseSettled(job: Job, settings: Readonly<Record<string, unknown>>): void {
  if (job.status === 'DRAFT') return
  const settled = Object.keys(settings).filter((key) => !ALWAYS.includes(key))
  if (settled.length === 0) return
  throw new Problem(
    'move_refused',
    `${settled.join(', ')} of ${job.id} cannot be changed now that it is ${job.status}; tell its agents with a note when you resubmit it, or a reason when you reject it`,
  )
}
