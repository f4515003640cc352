import { text as readAll } from 'node:stream/consumers'
import { exitCodeOf } from '../../agent/run/end.ts'
import { needsSteward } from '../../domain/job/flow.ts'
import { JobSettings, type Job } from '../../domain/job/job.ts'
import { problems, Problem, type ProblemCode } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import type { jobActs, jobReads } from '../../jobs/operations.ts'
import { metricsCsv } from '../../jobs/view/metrics.ts'
import { refuseExisting } from '../../sandbox/files/refuse-existing.ts'
import { uncommittedFiles } from '../../worktrees/commit.ts'
import { uncommittedNotice } from '../../worktrees/uncommitted-notice.ts'
import { readText, writeText } from '../named-file.ts'
import type { CommandExtras, CommandOptions } from '../operation-commands.ts'
import { say, shown, table } from '../terminal.ts'
import { historyText, jobTable, jobText, metricsText, movesText, previewText, stepLine, timelineText } from './text.ts'

/** What the terminal adds to looking at jobs. */
export const readExtras: CommandExtras<typeof jobReads> = {
  'job.list': { print: ({ jobs }) => jobTable(jobs) },
  'job.status': { print: jobText },
  'job.show': { print: (view) => [jobText(view), '', movesText(view.moves)].join('\n') },
  'job.timeline': { print: timelineText },
  'job.history': { print: ({ interactions }) => historyText(interactions) },
  'job.replay': {
    finish(replay) {
      if (replay.differences.length > 0) endWith('internal')
      return replay
    },
    print({ interactions, differences }) {
      const rows = differences.map(({ sequence, what, recorded, now }) => [`${sequence}`, what, shown(recorded), shown(now)])
      return rows.length === 0 ? `${counted(interactions, 'interaction')}, no difference` : table(['', '', 'recorded', 'now'], rows)
    },
  },
  'job.metrics': {
    options: [['--csv <file>', 'write the steps as CSV']],
    async finish(metrics, { csv }) {
      if (typeof csv !== 'string') return metrics
      refuseExisting(csv)
      await writeText(csv, `${metricsCsv(metrics)}\n`)
      return metrics
    },
    print: metricsText,
  },
  'job.fixture': { exact: true },
  'job.diff': { exact: true },
  'job.schema': { exact: true },
}

const line = { print: (job: Job) => stepLine(job) }
const lineAndPlace = { print: (job: Job) => `${stepLine(job)}\n${job.directory}` }

/** What the terminal adds to what is done with jobs. */
export const actExtras: CommandExtras<typeof jobActs> = {
  'job.create': {
    ...lineAndPlace,
    async finish(job, { base }) {
      if (base === undefined)
        for (const notice of uncommittedNotice(await uncommittedFiles(job.git_source_repo).catch(() => []))) say(notice)
      return job
    },
  },
  'job.configure': { print: (job) => JSON.stringify(JobSettings.parse(job), null, 2) },
  'job.rank': line,
  'job.activate': lineAndPlace,
  'job.preview': { print: previewText },
  'job.poststep': {
    ...line,
    options: [['--response-file <file>', 'the answer from a file; - for standard input']],
    fields: responseFrom,
    finish(job, { dryRun }) {
      if (needsSteward(job.status) && dryRun !== true) endWith('needs_person')
      return job
    },
  },
  'job.restep': line,
  'job.recover': {
    finish(result) {
      for (const { job_id, message } of result.problems) say(`${job_id}: ${message}`)
      if (result.problems[0]) endWith(result.problems[0].code)
      return result
    },
    print: ({ jobs, problems: failed }, { dryRun }) =>
      jobs.map((job) => (dryRun === true ? `${job.id} would be recovered from ${job.status}` : stepLine(job))).join('\n') ||
      (failed.length === 0 ? 'Nothing to recover' : 'Nothing was recovered'),
  },
  'job.counterfactual': {
    finish(result) {
      if (result.answers.some(({ now }) => now === 'failed')) endWith('provider_failed')
      if (result.stopped) endWith('stopped')
      return result
    },
    print({ answers }) {
      const rows = answers.map(({ sequence, recorded, now, summary }) => [`${sequence}`, recorded, now, shown(summary)])
      return table(['', 'recorded', 'now', ''], rows)
    },
  },
  'job.chat': {
    finish(answer) {
      process.exitCode = exitCodeOf(answer)
      return answer
    },
    print: ({ text }) => shown(text),
  },
  'job.approve': line,
  'job.reject': line,
  'job.resubmit': line,
  'job.suspend': line,
  'job.resume': line,
  'job.cancel': line,
  'job.cleanup': {
    finish(result) {
      const failed = result.cleaned.find(({ problem }) => problem !== null)?.problem
      if (failed) endWith(failed.code)
      return result
    },
  },
}

function endWith(code: ProblemCode): void {
  process.exitCode = problems[code].exit
}

async function responseFrom({ responseFile: file, responseString }: CommandOptions): Promise<Record<string, unknown>> {
  if (typeof file !== 'string') return {}
  if (responseString !== undefined)
    throw new Problem('bad_input', 'poststep takes one answer: --response-file FILE or --response-string TEXT, not both')
  const response_string =
    file === '-' ? await readAll(process.stdin) : await readText(file, 'name a file that holds the answer, or - for standard input')
  return { response_string }
}
