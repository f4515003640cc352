import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { exitCodeOf } from '../../agent/end.ts'
import { counted } from '../../domain/text/counted.ts'
import { moveJob } from '../../domain/job/decide.ts'
import type { Job } from '../../domain/job/job.ts'
import { bySeat, JobSeat, needsSteward, seatFor } from '../../domain/job/flow.ts'
import { Problem, problems } from '../../domain/problem.ts'
import { chatAboutJob } from '../../jobs/chat.ts'
import { interactionAt } from '../../jobs/view/history.ts'
import { poststepJob, poststepPreview } from '../../jobs/poststep.ts'
import { previewStep } from '../../jobs/view/preview.ts'
import { recoverAll, recoverJob, unfinished } from '../../jobs/step/recover.ts'
import { restepJob } from '../../jobs/restep.ts'
import { plannedRun, runJobs, type JobProblem } from '../../jobs/run.ts'
import type { JobContext } from '../../jobs/context.ts'
import { refuseStep, stepJob } from '../../jobs/step/step.ts'
import { jobs } from '../../store/tables.ts'
import { movesText, sayDry, sayMove } from './dry.ts'
import { numberIn } from './look.ts'
import { jobProgress } from './progress.ts'
import { defineReplay } from './replay.ts'
import { jobIdIn, onStage, type JobOptions, type Listener } from './open-jobs.ts'
import { previewText, stepLine } from './text.ts'
import { sayWarnings } from '../open/parts.ts'
import { readText } from '../named-file.ts'
import { stopSignal } from '../stop-signal.ts'
import { print, printJson, printResult, say, shown } from '../terminal.ts'

/** The verbs that have agents work, and those that stand in for them. */
export function defineStepping(job: Command): void {
  dry(job.command('step [id]').description('make one step: whoever’s turn it is works once')).action(onStage(step))
  dry(job.command('run [id]').description('step through the queue, or one job, until only people can go on')).action(onStage(run))
  dry(
    job
      .command('poststep [id]')
      .description('carry an answer through a step without an agent')
      .option('--response-file <file>', 'the answer; - for standard input')
      .option('--response-string <text>', 'the answer itself')
      .option('--role <seat>', 'refuse unless it is the turn of worker or supervisor'),
  ).action(onStage(poststep))
  dry(
    job
      .command('restep <id>')
      .description('go back to an earlier step, to make it again')
      .requiredOption('--step <number>', 'the interaction to go back to')
      .option('--rollback', 'also bring the workspace back to its commit')
      .option('--note <text>', 'what to do differently'),
  ).action(onStage(restep))
  dry(job.command('recover [id]').description('put jobs in order whose process is gone; without a name, all')).action(onStage(recover))
  defineReplay(job)
  job
    .command('chat <id> <words...>')
    .description('talk with an agent about a job, between its steps')
    .option('--role <role>', 'who answers', 'reviewer')
    .action(onStage(chat))
}

function dry(command: Command): Command {
  return command.option('--dry-run', 'only say what would happen')
}

async function step(context: JobContext, options: JobOptions, args: string[], ear: Listener): Promise<void> {
  const id = jobIdIn(args)
  if (options.dryRun) {
    await refuseStep(context.agent.driver, (await jobs.get(context.agent.driver, id)).item)
    const would = await previewStep(context, id)
    return sayDry(options, would, previewText(would))
  }
  const progress = follow(context, ear)
  const { item: before } = await jobs.get(context.agent.driver, id)
  if (seatFor(before.status) !== null) progress.onStep(before, 'begins')
  const signal = stopSignal()
  const after = await stepJob(context, id, signal).finally(progress.stop)
  end([after], signal)
  printResult(options.json, after, stepLine(after))
}

async function run(context: JobContext, options: JobOptions, args: string[], ear: Listener): Promise<void> {
  const jobId = args[0] ?? process.env['TROUPE_JOB_ID']
  if (options.dryRun) {
    const queue = await plannedRun(context, jobId)
    const would = { queue: queue.map(({ id, status, not_before }) => ({ id, status, not_before })) }
    return sayDry(options, would, queue.map((job) => stepLine(job)).join('\n'))
  }
  const progress = follow(context, ear)
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
      problems: report.problems.map(problemLine),
    })
  if (steps + needs_person.length + over.length + report.problems.length === 0 && jobId === undefined)
    return print('No job is in the queue; troupe job create makes one, troupe job list shows all.')
  const waiting = needs_person.length === 0 ? [] : [`waiting for you: ${needs_person.map(({ id }) => id).join(', ')}`]
  const done = over.length === 0 ? [] : [`over: ${over.map(({ id, status }) => `${id} (${status})`).join(', ')}`]
  print([counted(steps, 'step'), ...waiting, ...done].join('; '))
}

/** Jobs with which it did not work end the command with the code of the first. */
function tellProblems(found: readonly JobProblem[]): void {
  for (const { job_id, problem } of found) say(`${job_id}: ${problem.message}`)
  const [first] = found
  if (first) process.exitCode = problems[first.problem.code].exit
}

function problemLine({ job_id, problem: { code, message } }: JobProblem) {
  return { job_id, code, message }
}

/** Shows what the agents of a job do from here on. */
function follow({ agent }: JobContext, ear: Listener): ReturnType<typeof jobProgress> {
  sayWarnings(agent)
  const progress = jobProgress()
  ear.hear = progress.hear
  return progress
}

/** A job that waits for its Steward ends the command with the code that says so, and so does a stop. */
function end(ended: readonly Job[], signal?: AbortSignal): void {
  if (ended.some(({ status }) => needsSteward(status))) process.exitCode = problems.needs_person.exit
  if (signal?.aborted) process.exitCode = problems.stopped.exit
}

async function poststep(context: JobContext, options: JobOptions, args: string[]): Promise<void> {
  const id = jobIdIn(args)
  const raw = await responseIn(options)
  const seat = options.role === undefined ? undefined : seatIn(options.role)
  if (options.dryRun) {
    const would = await poststepPreview(context, id, raw, seat)
    return sayDry(options, would, movesText(id, would.moves))
  }
  const after = await poststepJob(context, id, raw, seat)
  end([after])
  printResult(options.json, after, stepLine(after))
}

async function responseIn({ responseFile, responseString }: JobOptions): Promise<string> {
  if (responseString !== undefined && responseFile !== undefined)
    throw new Problem('bad_input', 'poststep takes one answer: --response-file FILE or --response-string TEXT, not both')
  if (responseString !== undefined) return responseString
  if (responseFile === '-') return readAll(process.stdin)
  if (responseFile !== undefined) return readText(responseFile, 'name a file that holds the answer, or - for standard input')
  throw new Problem('bad_input', 'poststep needs the answer: --response-file FILE or --response-string TEXT')
}

function seatIn(text: string): JobSeat {
  const seat = JobSeat.safeParse(text.toLowerCase())
  if (seat.success) return seat.data
  throw new Problem('bad_input', `--role is ${text}; it takes worker or supervisor`)
}

async function restep(context: JobContext, options: JobOptions, [id = '']: string[]): Promise<void> {
  const { step: number = '', rollback = false, note, json, dryRun } = options
  const { driver } = context.agent
  const sequence = numberIn(number)
  if (dryRun) {
    const { again } = bySeat[(await interactionAt(driver, id, sequence)).seat]
    return sayMove(driver, id, (job) => moveJob(job, again, 'steward'), options)
  }
  const after = await restepJob(context, id, { sequence, rollback, note })
  printResult(json, after, stepLine(after))
}

async function recover(context: JobContext, options: JobOptions, [id]: string[]): Promise<void> {
  if (options.dryRun) {
    const left = await unfinished(context, id)
    const would = { jobs: left.map((job) => ({ id: job.id, status: job.status, active: job.active })) }
    return sayDry(options, would, left.map((job) => `${job.id} would be recovered from ${job.status}`).join('\n'))
  }
  const { recovered, problems: failed } =
    id === undefined ? await recoverAll(context) : { recovered: [await recoverJob(context, id)], problems: [] }
  tellProblems(failed)
  if (options.json) return printJson({ jobs: recovered, problems: failed.map(problemLine) })
  if (recovered.length > 0 || failed.length === 0) print(recovered.map((job) => stepLine(job)).join('\n') || 'Nothing to recover')
}

async function chat(context: JobContext, { role = 'reviewer', json }: JobOptions, args: string[], ear: Listener): Promise<void> {
  const [id, words] = args as unknown as [string, string[]] // a variadic argument comes as a list
  ear.hear = (event) => void (event.type === 'error' && say(`troupe: ${event.message}`))
  const { text, run: played } = await chatAboutJob(context, id, { text: words.join(' '), role, signal: stopSignal() })
  process.exitCode = exitCodeOf(played)
  printResult(json, { text, run_id: played.id, status: played.status }, shown(text))
}
