import { closeSync, constants, openSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import { ChangedFile, FilePatch, oneFile, patchText } from '../../domain/changed-file.ts'
import type { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import { refuseExisting } from '../../sandbox/files/refuse-existing.ts'
import { unwritable } from '../../sandbox/files/unwritable.ts'
import { jobs } from '../../store/tables.ts'
import { changedFiles, filePatches } from '../../worktrees/diff.ts'
import { commitOf, gitText } from '../../worktrees/repository.ts'
import type { JobContext, JobReader } from '../context.ts'
import { NamedJob } from '../steward/decision.ts'
import { sourceOf } from '../workspace.ts'

export const diffJob = defineOperation({
  name: 'job.diff',
  summary: 'Show what a job has changed since its base',
  by: ['person'],
  effect: 'read',
  command: 'job diff [job]',
  input: NamedJob.extend({ file: oneFile }),
  output: z.object({ base_commit: z.string(), head_commit: z.string(), files: z.array(FilePatch) }),
  example: { job: 'greet' },
  tell: ({ files }) => patchText(files),
  run: async ({ agent: { driver } }: JobReader, { job: id, file }) => {
    const { base, head, root } = await rangeOf((await jobs.get(driver, id)).item)
    return { base_commit: base, head_commit: head, files: await filePatches(root, base, head, file) }
  },
})

/** `git apply` takes the patch as it is. A file that is there already may be somebody's work. */
export const exportJob = defineOperation({
  name: 'job.export',
  summary: 'Write the whole result of a job as a patch, on the machine Troupe runs on',
  by: ['person'],
  effect: 'change',
  command: 'job export [job]',
  input: NamedJob.extend({ out: z.string().min(1).optional().describe('the file (job-ID.patch)') }),
  output: z.object({ file: z.string(), files: z.array(ChangedFile) }),
  example: { job: 'greet', out: 'greet.patch' },
  tell: ({ file, files }) => `${counted(files.length, 'file')} in ${file}`,
  run: async ({ agent: { driver }, dry }: JobContext, { job: id, out }) => {
    const { item: job } = await jobs.get(driver, id)
    const named = out ?? `${job.branch}.patch`
    const file = resolve(named)
    refuseExisting(named)
    const { base, head, root } = await rangeOf(job)
    const files = await changedFiles(root, base, head)
    const writing = dry === true ? access(`${dirname(file)}/`, constants.W_OK) : writePatch(file, root, [base, head]) // the slash: what is no folder is refused
    await writing.catch((cause: unknown) => {
      throw unwritable(named, cause)
    })
    return { file, files }
  },
})

async function writePatch(file: string, root: string, range: readonly string[]): Promise<void> {
  closeSync(openSync(file, 'a')) // git would tell in its own words that there is no such folder
  await gitText(root, ['diff', '--no-color', '--binary', `--output=${file}`, ...range])
}

/** From where to where a job has come, and in which repository. */
export async function rangeOf(job: Job): Promise<{ base: string; head: string; root: string }> {
  if (job.base_commit === null) throw new Problem('move_refused', `${job.id} is a draft: it has no result yet`)
  const { root } = await sourceOf(job)
  return { base: job.base_commit, head: job.head_commit ?? (await commitOf(root, job.branch)), root }
}
