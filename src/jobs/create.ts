import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { jobFlow } from '../domain/job/flow.ts'
import { Job, JobId } from '../domain/job/job.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { layered } from '../domain/text/unknown-value.ts'
import { git } from '../sandbox/git/git.ts'
import { jobs } from '../store/tables.ts'
import { commitOf, openRepository } from '../worktrees/repository.ts'
import { activateJob } from './steward/activate.ts'
import { jobContextIn, type JobContext } from './context.ts'
import { tellJob } from './steward/decision.ts'
import { QueuePlace, unqueued } from './queue.ts'
import { needRoles, SettingFields, settingsIn, settingsOver } from './settings.ts'
import { attachFiles, checkAttachments } from './step/attachments.ts'
import { jobFilePlaces, writeManifest } from './view/files.ts'

const JobRequest = SettingFields.extend({
  id: JobId.describe('its name: letters, digits, _ and -'),
  source: z.string().min(1).default('.').describe('the repository the job works for (the folder Troupe runs in)'),
  base: z.string().min(1).optional().describe('the commit it starts from: a branch, a tag, a SHA (HEAD)'),
  dir: z.string().min(1).optional().describe('where to keep its workspace, history and attachments; else in TROUPE_JOBS_DIR'),
  file: z.array(z.string().min(1)).default([]).describe('files to attach, by their paths'),
  activate: z.boolean().default(false).describe('activate it at once'),
  rank: QueuePlace.optional(),
})
type JobRequest = z.output<typeof JobRequest>

/** The source repository is only looked at. */
export const createJob = defineOperation({
  name: 'job.create',
  summary: 'Create a job as a draft, or activate it at once',
  by: ['person'],
  effect: 'change',
  command: 'job create <id>',
  input: JobRequest,
  output: Job,
  example: { id: 'greet', objective: 'Greet the world', activate: true },
  tell: tellJob,
  run: async (context: JobContext, request) => {
    const { id, activate, rank, file } = request
    if (rank !== undefined && !activate) throw unqueued(id)
    const job = await draftJob(context, request)
    if (context.dry !== true) await attachFiles(job, file)
    const { item } = await jobs.add(context.agent.driver, job)
    await writeManifest(context, item)
    return activate ? activateJob.run(context, { job: id, rank: rank ?? -1 }) : item
  },
})

/** A job as it would be made, or why it cannot be; nothing is written. */
async function draftJob(context: JobContext, request: JobRequest): Promise<Job> {
  const { id, source, base = 'HEAD', dir, file } = request
  const repository = await openRepository(resolve(source))
  const { limits } = await jobContextIn(context, { git_source_repo: repository.root })
  const settings = settingsOver({}, layered({ limits: { max_turns: limits.max_turns } }, settingsIn(request)))
  await needRoles(context, { ...settings, git_source_repo: repository.root })
  await commitOf(repository.root, base)
  const directory = resolve(dir ?? join(context.jobsDir, id))
  const at = context.agent.now().toISOString()
  const job = Job.parse({
    ...settings,
    id,
    status: jobFlow.initial,
    directory,
    workspace: join(directory, 'workspace'),
    git_source_repo: repository.root,
    base,
    base_branch: await branchIn(repository.root),
    branch: `job-${id}`,
    created_at: at,
    updated_at: at,
  })
  const there = await jobs.find(context.agent.driver, id)
  if (there !== null) throw taken(there.item)
  refuseOthersFiles(job)
  await checkAttachments(file)
  return job
}

/** A job may be there because making it at once ready failed: then it is a draft, and goes on as one. */
function taken({ id, status }: Job): Problem {
  const next = status === 'DRAFT' ? [{ operation: 'job.activate', input: { job: id } }] : []
  const way = status === 'DRAFT' ? ', or activate it' : ''
  return new Problem('conflict', `there is a job ${id} already, and it is ${status}; choose another name${way}`, { next })
}

/** The folder may be the user's own. What alone may be there is an empty folder for attachments: who died making the job left it. */
function refuseOthersFiles(job: Job): void {
  const { attachments, ...files } = jobFilePlaces(job)
  const left = statOf(attachments)?.isDirectory() === true && readdirSync(attachments).length === 0
  const found = [...Object.values(files), ...(left ? [] : [attachments])].find((path) => statOf(path) !== undefined)
  if (found === undefined) return
  throw new Problem('conflict', `there is ${found} already; it is left untouched, so name another folder for ${job.id}`)
}

/** What is at a path itself, be it a link that leads nowhere. */
function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** The branch the user is on: where the result would be merged unless told otherwise. */
async function branchIn(root: string): Promise<string | null> {
  const found = await git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  return found.exit_code === 0 ? found.stdout.trim() : null
}
