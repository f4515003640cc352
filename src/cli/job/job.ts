import type { Command } from 'commander'
import { jobActs, jobReads } from '../../jobs/operations.ts'
import { addCommands } from '../operation-commands.ts'
import { jobArea, readerArea, withJobs } from './area.ts'
import { actExtras, readExtras } from './extras.ts'
import type { RunEvent } from '../../domain/event.ts'
import { seatFor, needsSteward } from '../../domain/job/flow.ts'
import type { Job } from '../../domain/job/job.ts'
import { Problem, problems } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import type { JobContext } from '../../jobs/context.ts'
import type { JobProblem } from '../../jobs/job-problem.ts'
import { plannedRun, runJobs } from '../../jobs/run.ts'
import { refuseStep, stepJob } from '../../jobs/step/step.ts'
import { previewStep } from '../../jobs/view/preview.ts'
import { jobs } from '../../store/tables.ts'
import { sayWarnings } from '../open/parts.ts'
import { stopSignal } from '../stop-signal.ts'
import { print, printJson, printResult, say } from '../terminal.ts'
import { jobProgress } from './progress.ts'
import { previewText, stepLine } from './text.ts'

/** `troupe job …`: make a job, look at it, step it, decide about it, take its result. */
export function define(job: Command): void {
  addCommands(job, jobReads, readerArea, readExtras)
  addCommands(job, jobActs, jobArea, actExtras)
  addStepCommands(job)
  job.addHelpText('after', '\nWhere JOB is left out, TROUPE_JOB_ID names the job.')
}

interface StepOptions {
  json?: boolean
  dryRun?: boolean
}

/** The verbs by which agents work in the foreground; `job.start` does the same in the background. */
function addStepCommands(job: Command): void {
  addStepCommand(job.command('step [job]').description('Run one step of a job'), step)
  addStepCommand(job.command('run [job]').description('Run the queue, or one job, until a person is needed'), run)
}

type Work = (
  context: JobContext,
  options: StepOptions,
  id: string | undefined,
  follow: () => Promise<ReturnType<typeof jobProgress>>,
) => Promise<void>

function addStepCommand(command: Command, work: Work): void {
  command.option('--dry-run', 'say what would happen and change nothing').action(async (named: string | undefined) => {
    const options = command.optsWithGlobals<StepOptions>()
    let hear: ((event: RunEvent) => void) | null = null
    await withJobs(
      (event) => hear?.(event),
      (context) =>
        work(context, options, named ?? (process.env['TROUPE_JOB_ID'] || undefined), async () => {
          await sayWarnings(context.agent)
          const progress = jobProgress()
          hear = progress.hear
          return progress
        }),
    )
  })
}

const step: Work = async (context, options, id, follow) => {
  if (id === undefined) throw new Problem('bad_input', 'which job? Name it, or set TROUPE_JOB_ID; troupe job list shows all')
  if (options.dryRun) {
    await refuseStep(context.agent.driver, (await jobs.get(context.agent.driver, id)).item)
    const would = await previewStep.run(context, { job: id })
    return sayTried(options, would, previewText(would))
  }
  const progress = await follow()
  const { item: before } = await jobs.get(context.agent.driver, id)
  if (seatFor(before.status) !== null) progress.onStep(before, 'begins')
  const signal = stopSignal()
  const after = await stepJob(context, id, signal).finally(progress.stop)
  end([after], signal)
  printResult(options.json, after, stepLine(after))
}

const run: Work = async (context, options, jobId, follow) => {
  if (options.dryRun) {
    const queue = await plannedRun(context, jobId)
    const would = { queue: queue.map(({ id, status, not_before }) => ({ id, status, not_before })) }
    return sayTried(options, would, queue.map((job) => stepLine(job)).join('\n') || 'Nothing would happen')
  }
  const progress = await follow()
  const signal = stopSignal()
  const report = await runJobs(context, { jobId, signal, onStep: progress.onStep }).finally(progress.stop)
  end(report.needs_person)
  tellProblems(report.problems)
  end([], signal)
  const { steps, needs_person, over } = report
  if (options.json)
    return printJson({
      steps,
      needs_person: needs_person.map(({ id, status, reason }) => ({ id, status, reason })),
      over: over.map(({ id, status }) => ({ id, status })),
      problems: report.problems,
    })
  if (steps + needs_person.length + over.length + report.problems.length === 0 && jobId === undefined)
    return print('The queue is empty; create a job with troupe job create, or see all with troupe job list.')
  const waiting = needs_person.length === 0 ? [] : [`waiting for you: ${needs_person.map(({ id }) => id).join(', ')}`]
  const done = over.length === 0 ? [] : [`over: ${over.map(({ id, status }) => `${id} (${status})`).join(', ')}`]
  print([counted(steps, 'step'), ...waiting, ...done].join('; '))
}

/** Jobs with which it did not work end the command with the code of the first. */
function tellProblems(found: readonly JobProblem[]): void {
  for (const { job_id, message } of found) say(`${job_id}: ${message}`)
  const [first] = found
  if (first) process.exitCode = problems[first.code].exit
}

/** Tells what would have been done; nothing was. */
function sayTried({ json }: StepOptions, would: object, text: string): void {
  printResult(json, would, text)
  if (json !== true) say('Nothing was changed.')
}

/** A job that waits for its Steward ends the command with the code that says so, and so does a stop. */
function end(ended: readonly Job[], signal?: AbortSignal): void {
  if (ended.some(({ status }) => needsSteward(status))) process.exitCode = problems.needs_person.exit
  if (signal?.aborted) process.exitCode = problems.stopped.exit
}
