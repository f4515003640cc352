import type { Moved } from '../../domain/job/decide.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Driver } from '../../store/driver.ts'
import { jobs } from '../../store/tables.ts'
import type { JobOptions } from './open-jobs.ts'
import { print, printJson, say } from '../terminal.ts'

/** Tells what a verb would have done; it has changed nothing. */
export function sayDry({ json }: JobOptions, would: object, text: string): void {
  if (json) return printJson({ dry_run: true, ...would })
  print(text || 'Nothing would happen')
  say('Nothing was changed.')
}

/** Says what a verb of the Steward would do, by the function that decides when it does it. */
export async function sayMove(driver: Driver, jobId: string, would: (job: Job) => Moved, options: JobOptions): Promise<void> {
  const { moves } = would((await jobs.get(driver, jobId)).item)
  sayDry(options, { job_id: jobId, moves }, movesText(jobId, moves))
}

/** The moves that would be made, a line each. */
export function movesText(jobId: string, moves: Moved['moves']): string {
  return moves.map(({ move: made, from, to }) => `${jobId} would ${made}: ${from} → ${to}`).join('\n')
}
