import type { Command } from 'commander'
import { approvePhase, moveJob, type Moved } from '../../domain/job/decide.ts'
import type { Job } from '../../domain/job/job.ts'
import { approveJob } from '../../jobs/approve.ts'
import { cancelJob } from '../../jobs/cancel.ts'
import { rejectJob, rejection } from '../../jobs/reject.ts'
import { resubmitJob } from '../../jobs/resubmit.ts'
import type { JobContext } from '../../jobs/context.ts'
import { resumeJob, resumption, suspendJob } from '../../jobs/suspend.ts'
import { sayMove } from './dry.ts'
import { onStage, type JobOptions } from './open-jobs.ts'
import { stepLine } from './text.ts'
import { printResult } from '../terminal.ts'

interface Verb {
  name: string
  about: string
  words?: '<reason>' | '[note]'
  would: (job: Job, words: string, options: JobOptions) => Moved
  act: (context: JobContext, id: string, words: string, options: JobOptions) => Promise<Job>
}

const verbs: readonly Verb[] = [
  {
    name: 'approve',
    about: 'let the phase pass: on to the next one, or SUCCESS',
    words: '[note]',
    would: (job, note) => approvePhase(job, 'steward', note),
    act: approveJob,
  },
  {
    name: 'reject',
    about: 'send the phase back to the Worker; the reason stands in its next prompt',
    words: '<reason>',
    would: rejection,
    act: rejectJob,
  },
  {
    name: 'resubmit',
    about: 'release a stopped job; the note stands in the next prompt',
    words: '[note]',
    would: (job, note, { review }) => moveJob(job, review ? 'resubmit_review' : 'resubmit', 'steward', note),
    act: (context, id, note, { review }) => resubmitJob(context, id, note, review ? 'review' : 'work'),
  },
  {
    name: 'suspend',
    about: 'pause a job, stopping its agent',
    words: '[note]',
    would: (job) => moveJob(job, 'suspend', 'steward'),
    act: suspendJob,
  },
  { name: 'resume', about: 'go on where a job was suspended', would: resumption, act: resumeJob },
  {
    name: 'cancel',
    about: 'end a job for good; its work and history stay',
    words: '[note]',
    would: (job) => moveJob(job, 'cancel', 'steward'),
    act: cancelJob,
  },
]

/** The Steward's verbs. */
export function defineStewardship(job: Command): void {
  for (const { name, about, words, would, act } of verbs) {
    const command = job.command(name).description(about).argument('<id>')
    if (words !== undefined) command.argument(words)
    if (name === 'resubmit') command.option('--review', 'to the Supervisor instead of the Worker')
    command.option('--dry-run', 'only say what would happen').action(
      onStage(async (context, options, [id = '', said = '']) => {
        if (options.dryRun) return sayMove(context.agent.driver, id, (found) => would(found, said, options), options)
        const after = await act(context, id, said, options)
        printResult(options.json, after, stepLine(after))
      }),
    )
  }
}
