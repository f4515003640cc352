import { approve, move } from '../domain/job-decide.ts'
import type { JobMoveName } from '../domain/job-flow.ts'
import type { Driver } from '../store/driver.ts'
import { jobs } from '../store/tables.ts'
import { print, printJson } from './terminal.ts'

/** Says what a move of the Steward would do, by the same table, and changes nothing. */
export async function settledMove(driver: Driver, jobId: string, name: JobMoveName, { json }: { json?: boolean }): Promise<void> {
  const { item: job } = await jobs.get(driver, jobId)
  const { moves } = name === 'approve_job' ? approve(job, 'steward', '') : move(job, name, 'steward')
  if (json) return printJson({ dry_run: true, job_id: jobId, moves })
  for (const { move: made, from, to } of moves) print(`${jobId} would ${made}: ${from} → ${to}`)
}
