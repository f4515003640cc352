import type { Command } from 'commander'
import type { Job } from '../domain/job.ts'
import { resumeMoves, type JobMoveName } from '../domain/job-flow.ts'
import { approveJob } from '../jobs/approve.ts'
import { cancelJob } from '../jobs/cancel.ts'
import { rejectJob } from '../jobs/reject.ts'
import { resubmitJob } from '../jobs/resubmit.ts'
import type { JobStage } from '../jobs/stage.ts'
import { resumeJob, suspendJob } from '../jobs/suspend.ts'
import { jobs } from '../store/tables.ts'
import { sayMove } from './job-dry.ts'
import { onStage, type JobOptions } from './job-stage.ts'
import { stepLine } from './job-text.ts'
import { printResult } from './terminal.ts'

interface Verb {
  name: string
  about: string
  words?: '<reason>' | '[note]'
  move: (job: Job, options: JobOptions) => JobMoveName
  act: (stage: JobStage, id: string, words: string, options: JobOptions) => Promise<Job>
}

const verbs: readonly Verb[] = [
  {
    name: 'approve',
    about: 'let the phase pass: on to the next one, or SUCCESS',
    words: '[note]',
    move: () => 'approve_job',
    act: approveJob,
  },
  {
    name: 'reject',
    about: 'send the phase back to the Worker; the reason stands in its next prompt',
    words: '<reason>',
    move: () => 'reject',
    act: rejectJob,
  },
  {
    name: 'resubmit',
    about: 'release a stopped job; the note stands in the next prompt',
    words: '[note]',
    move: (_, { review }) => (review ? 'resubmit_review' : 'resubmit'),
    act: (stage, id, note, { review }) => resubmitJob(stage, id, note, review ? 'review' : 'work'),
  },
  { name: 'suspend', about: 'pause a job, stopping its agent', words: '[note]', move: () => 'suspend', act: suspendJob },
  { name: 'resume', about: 'go on where a job was suspended', move: resumeMove, act: resumeJob },
  { name: 'cancel', about: 'end a job for good; its work and history stay', words: '[note]', move: () => 'cancel', act: cancelJob },
]

/** The Steward's verbs. */
export function defineStewardship(job: Command): void {
  for (const { name, about, words, move, act } of verbs) {
    const command = job.command(name).description(about).argument('<id>')
    if (words !== undefined) command.argument(words)
    if (name === 'resubmit') command.option('--review', 'to the Supervisor instead of the Worker')
    command.option('--dry-run', 'only say what would happen').action(
      onStage(async (stage, options, [id = '', said = '']) => {
        const { driver } = stage.agent
        if (options.dryRun) return sayMove(driver, id, move((await jobs.get(driver, id)).item, options), options)
        const after = await act(stage, id, said, options)
        printResult(options.json, after, stepLine(after))
      }),
    )
  }
}

function resumeMove({ suspended_from }: Job): JobMoveName {
  const known = Object.entries(resumeMoves).find(([state]) => state === suspended_from)
  return known?.[1] ?? 'resume_work'
}
