import { phaseOf, type Job, type JobNote } from '../../domain/job/job.ts'

/** The task as `prompt.md` keeps it and every agent of the job reads it. */
export function jobTaskText(job: Job): string {
  return [
    job.prompt,
    tagged('objective', job.objective),
    tagged('details', job.details),
    tagged('acceptance', job.acceptance_criteria.map((criterion) => `- ${criterion}`).join('\n')),
    tagged('phases', job.phases.length < 2 ? '' : phaseList(job)),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
}

/** What a Worker is told to do now. */
export function workerOrder(job: Job, soFar: string): string {
  const phase = phaseOf(job)
  return [
    `Do the work of ${phaseTitle(job)}.`,
    phase.description,
    phase.worker_instructions,
    soFar,
    job.retries === 0 ? '' : `This is attempt ${job.retries + 1}. The one before asked to start over: take another way than it did.`,
    'Your working directory is the job’s own copy of the repository; everything you leave in it is committed when you end. End with one JSON exit command.',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** `phase 2 of 3: build` */
export function phaseTitle(job: Job): string {
  const { name, number, of } = phaseOf(job)
  return of === 1 ? `this job (phase ${name})` : `phase ${number} of ${of}: ${name}`
}

/** The notes the next agent must answer, the newest last. */
export function feedbackText(notes: readonly JobNote[]): string {
  return notes.map(({ from, text }) => `- ${from}: ${text}`).join('\n')
}

/** Asks for the exit command once more, with exactly what was wrong. */
export function repairOrder(error: string): string {
  return [
    `Your last answer holds no valid exit command: ${error}.`,
    'The work itself is kept. Answer now with exactly one JSON object and nothing else:',
    '{"action": "COMPLETED" | "STUCK" | "RETRY", "evidence_files": ["relative/path"], "summary_for_supervisor": "two or three sentences"}',
  ].join('\n')
}

function phaseList(job: Job): string {
  return job.phases.map(({ name, description }, at) => `${at + 1}. ${name}${description === '' ? '' : `: ${description}`}`).join('\n')
}

function tagged(name: string, text: string): string {
  return text.trim() === '' ? '' : `<${name}>\n${text.trim()}\n</${name}>`
}
