import { access, constants } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { counted } from '../../domain/text/counted.ts'
import type { Job } from '../../domain/job/job.ts'
import { problems, problemView } from '../../domain/problem.ts'
import { cleanUp, type Cleaned } from '../../jobs/cleanup.ts'
import { diffOf, exportPatch, mergeJob, tryMerge } from '../../jobs/view/result.ts'
import type { JobContext } from '../../jobs/context.ts'
import { refuseExisting } from '../../sandbox/files/refuse-existing.ts'
import { jobs } from '../../store/tables.ts'
import { sayDry } from './dry.ts'
import { jobIdIn, onStage, type JobOptions } from './open-jobs.ts'
import { unwritable } from '../named-file.ts'
import { printResult } from '../terminal.ts'

/** The verbs that take the result of a job, and put its workspace away. */
export function defineResult(job: Command): void {
  job
    .command('export [id]')
    .description('write the result as a patch')
    .option('--out <file>', 'the file (job-ID.patch)')
    .option('--dry-run', 'only say what would be written')
    .action(
      onStage(async (context, { out, json, dryRun }, args) => {
        const { item } = await jobs.get(context.agent.driver, jobIdIn(args))
        const file = out ?? `${item.branch}.patch`
        refuseExisting(file)
        const { files } = await diffOf(item)
        const written = await exportTo(item, file, dryRun)
        const text = dryRun ? `Would write ${counted(files.length, 'file')} to ${file}` : `Written: ${written}`
        printResult(json, { file: written, files }, text)
      }),
    )
  job
    .command('merge [id]')
    .description('merge a SUCCESS into a branch that nobody has checked out')
    .option('--into <branch>', 'the branch (the one the job started from)')
    .option('--dry-run', 'only say what would be merged')
    .action(onStage(merge))
  job
    .command('cleanup [id]')
    .description('take the workspaces of finished jobs away; their work is kept under a ref')
    .option('--dry-run', 'only say which')
    .action(
      onStage(async (context, { json, dryRun = false }, [jobId]) => {
        const cleaned = await cleanUp(context, { jobId, dryRun })
        const failed = cleaned.find(({ problem }) => problem !== null)?.problem
        if (failed) process.exitCode = problems[failed.code].exit
        const text = cleaned.map(cleanedLine).join('\n') || 'Nothing to clean up'
        printResult(json, { dry_run: dryRun, cleaned: cleaned.map(withMessage) }, text)
      }),
    )
}

async function exportTo(job: Job, file: string, dry = false): Promise<string | null> {
  const folder = `${dirname(resolve(file))}/` // the slash: what is no folder is refused
  const made = dry ? access(folder, constants.W_OK).then(() => null) : exportPatch(job, file)
  return made.catch((cause: unknown) => {
    throw unwritable(file, cause)
  })
}

async function merge(context: JobContext, options: JobOptions, args: string[]): Promise<void> {
  const { item } = await jobs.get(context.agent.driver, jobIdIn(args))
  const { id, branch } = item
  const into = options.into ?? item.base_branch
  if (options.dryRun) {
    await tryMerge(item, options.into)
    const diff = await diffOf(item)
    return sayDry(options, { branch, into, ...diff }, `Would merge ${counted(diff.files.length, 'file')} of ${branch} into ${into}`)
  }
  const merged = await mergeJob(context, id, options.into)
  printResult(options.json, merged, `${branch} is merged into ${into} as ${merged.merged_commit}`)
}

function cleanedLine({ job_id, workspace, kept_as, problem }: Cleaned): string {
  if (problem !== null) return `${job_id}: ${workspace} stays: ${problem.message}`
  return `${job_id}: ${workspace}${kept_as === null ? '' : ` → ${kept_as}`}`
}

function withMessage({ problem, ...cleaned }: Cleaned) {
  return { ...cleaned, problem: problem && problemView(problem).error }
}
