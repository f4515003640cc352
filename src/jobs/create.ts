import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { fitting } from '../domain/text/fitting.ts'
import { Job, JobSettings } from '../domain/job/job.ts'
import { jobFlow } from '../domain/job/flow.ts'
import { Problem } from '../domain/problem.ts'
import { layered } from '../domain/text/unknown-value.ts'
import { git } from '../sandbox/git/git.ts'
import { commitOf, openRepository } from '../worktrees/repository.ts'
import { jobs } from '../store/tables.ts'
import { attachFiles, checkAttachments } from './step/attachments.ts'
import { placesOf, writeManifest } from './view/files.ts'
import { jobContextIn, type JobContext } from './context.ts'

/** What a job is made from. */
export interface JobRequest {
  id: string
  source: string
  /** The commit it starts from: a branch, a tag, a SHA. */
  base?: string | undefined
  directory?: string | undefined
  files?: readonly string[] | undefined
  settings: Readonly<Record<string, unknown>>
}

/** Makes a job as a draft. The source repository is only looked at. */
export async function createJob(context: JobContext, request: JobRequest): Promise<Job> {
  const { driver, now } = context.agent
  const job = await draftJob(context, request)
  await attachFiles(job, request.files ?? [])
  const { item } = await jobs.add(driver, job)
  await writeManifest(driver, item, now())
  return item
}

/** A job may be there because making it at once ready failed: then it is a draft, and goes on as one. */
function taken({ id, status }: Job): Problem {
  const way = status === 'DRAFT' ? `, or go on with it: troupe job activate ${id}` : ''
  return new Problem('conflict', `there is a job ${id} already, and it is ${status}; choose another name${way}`)
}

/** The folder may be the user's own. What alone may be there is an empty folder for attachments: who died making the job left it. */
function refuseOthersFiles(job: Job): void {
  const { attachments, ...files } = placesOf(job)
  const left = statOf(attachments)?.isDirectory() === true && readdirSync(attachments).length === 0
  const found = [...Object.values(files), ...(left ? [] : [attachments])].find((path) => statOf(path) !== undefined)
  if (found === undefined) return
  throw new Problem('conflict', `there is ${found} already; it is left untouched, so name another folder for ${job.id}`)
}

/** What is at a path itself, be it a link that leads nowhere. */
function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** Settings from outside over those in force, or what is wrong with them. A limit that is not named stays as it is. */
export function settingsOver(before: Partial<JobSettings>, given: JobRequest['settings']): JobSettings {
  const whole = layered(JobSettings.parse(before), given)
  return checkedPhases(fitting(z.strictObject(JobSettings.shape), whole, 'these are no settings of a job'))
}

/** Refuses seats for which there is no role. */
export async function checkSeats(context: JobContext, { roles, git_source_repo }: Pick<Job, 'roles' | 'git_source_repo'>): Promise<void> {
  const { agent } = await jobContextIn(context, { git_source_repo })
  for (const { role } of Object.values(roles)) agent.roles.need(role)
}

/** A job as it would be made, or why it cannot be; nothing is written. */
export async function draftJob(
  context: JobContext,
  { id, source, base = 'HEAD', directory, files = [], settings }: JobRequest,
): Promise<Job> {
  const repository = await openRepository(resolve(source))
  const { limits } = await jobContextIn(context, { git_source_repo: repository.root })
  const parsed = settingsOver({}, layered({ limits: { max_turns: limits.max_turns } }, settings))
  await checkSeats(context, { ...parsed, git_source_repo: repository.root })
  await commitOf(repository.root, base)
  const folder = resolve(directory ?? join(context.jobsDir, id))
  const at = context.agent.now().toISOString()
  const job = Job.safeParse({
    ...parsed,
    id,
    status: jobFlow.initial,
    directory: folder,
    workspace: join(folder, 'workspace'),
    git_source_repo: repository.root,
    base,
    base_branch: await branchIn(repository.root),
    branch: `job-${id}`,
    created_at: at,
    updated_at: at,
  })
  if (!job.success) throw new Problem('bad_input', `${JSON.stringify(id)} is no name for a job: ${job.error.issues[0]?.message}`)
  const there = await jobs.find(context.agent.driver, id)
  if (there !== null) throw taken(there.item)
  refuseOthersFiles(job.data)
  await checkAttachments(files)
  return job.data
}

/** The branch the user stands on: where the result would be merged unless told otherwise. */
async function branchIn(root: string): Promise<string | null> {
  const found = await git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  return found.exit_code === 0 ? found.stdout.trim() : null
}

function checkedPhases(settings: JobSettings): JobSettings {
  const names = settings.phases.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return settings
  throw new Problem('bad_input', `two phases are called ${twice}; each needs a name of its own`)
}
