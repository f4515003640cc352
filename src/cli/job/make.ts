import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Job } from '../../domain/job/job.ts'
import { activateJob, activation } from '../../jobs/activate.ts'
import { checkChange, configureJob, unqueued } from '../../jobs/configure.ts'
import { createJob, draftJob } from '../../jobs/create.ts'
import type { JobContext } from '../../jobs/context.ts'
import { jobs } from '../../store/tables.ts'
import { sayDry, sayMove } from './dry.ts'
import { rankIn, settingOptions, settingsFrom } from './settings.ts'
import { jobIdIn, onStage, type JobOptions } from './open-jobs.ts'
import { stepLine } from './text.ts'
import { uncommittedFiles } from '../../worktrees/commit.ts'
import { uncommittedNotice } from '../../worktrees/uncommitted-notice.ts'
import { printJson, printResult, say } from '../terminal.ts'

/** The verbs that set a job up. */
export function defineMaking(job: Command): void {
  settingOptions(job.command('create').description('make a job as a draft'))
    .argument('<id>', 'its name: letters, digits, _ and -')
    .option('--base <commit>', 'the commit it starts from (HEAD)')
    .option('--dir <folder>', 'where its workspace, history and attachments lie; else in TROUPE_JOBS_DIR')
    .option('--activate', 'activate it at once')
    .option('--dry-run', 'only say what would be made')
    .action(onStage(create))
  settingOptions(job.command('config').description('change the settings of a job; without any, show them'))
    .argument('[id]')
    .option('--dry-run', 'only check the settings')
    .action(
      onStage(async (context, options, args) => {
        const { item: before } = await jobs.get(context.agent.driver, jobIdIn(args))
        const settings = await settingsFrom(options)
        const rank = rankIn(options)
        const change = { settings, files: options.file, source: options.source, rank }
        const nothing = Object.keys(settings).length === 0 && rank === undefined && !options.file && !options.source
        if (nothing || options.dryRun) return printJson(await checkChange(context, before, change))
        show(await configureJob(context, before.id, change), options)
      }),
    )
  job
    .command('activate [id]')
    .description('make a draft ready: record its base, make its workspace, put it in the queue')
    .option('--rank <place>', 'place in the queue: 0 is the front, -1 the end')
    .option('--dry-run', 'only say what would happen')
    .action(
      onStage(async (context, options, args) => {
        const id = jobIdIn(args)
        if (options.dryRun) return sayMove(context.agent.driver, id, activation, options)
        show(await activateJob(context, id, rankIn(options)), options)
      }),
    )
}

async function create(context: JobContext, options: JobOptions, [id = '']: string[]): Promise<void> {
  const { source = '.', base, dir: directory, file: files } = options
  const request = { id, source, base, directory, files, settings: await settingsFrom(options) }
  const rank = rankIn(options)
  if (rank !== undefined && !options.activate) throw unqueued(id)
  if (options.dryRun) {
    const draft = await draftJob(context, request)
    if (options.activate) activation(draft)
    return sayDry(options, draft, `Would make ${id} in ${draft.directory}`)
  }
  const made = await createJob(context, request)
  if (base === undefined) for (const notice of uncommittedNotice(await uncommittedIn(source))) say(notice)
  show(options.activate ? await activateJob(context, made.id, rank) : made, options)
}

/** Nothing where the source is not a checkout of a repository. */
async function uncommittedIn(source: string): Promise<string[]> {
  return uncommittedFiles(resolve(source)).catch(() => [])
}

function show(job: Job, { json }: JobOptions): void {
  printResult(json, job, `${stepLine(job)}\n${job.directory}`)
}
