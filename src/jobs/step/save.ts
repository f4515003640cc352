import type { Moved } from '../../domain/job/decide.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { jobMoves, jobs } from '../../store/tables.ts'
import { writeManifest } from '../view/files.ts'

/** Stores a job where its moves led it, together with the moves themselves, in the caller's transaction. */
export async function saveMoved(
  tx: Driver,
  was: Stored<Job>,
  { job, moves }: Moved,
  now: Date,
  sequence: number | null = null,
): Promise<Stored<Job>> {
  const at = now.toISOString()
  const { id, moves: before } = was.item
  for (const [index, made] of moves.entries()) {
    const number = before + index + 1
    await jobMoves.add(tx, { id: `${id}/${number}`, job_id: id, number, at, ...made, sequence })
  }
  return jobs.replace(tx, was, { ...job, moves: before + moves.length, updated_at: at })
}

/** A verb of the Steward: reads the job, decides, stores, and writes the manifest. */
export async function changeJob(driver: Driver, jobId: string, now: Date, change: (job: Job) => Moved): Promise<Job> {
  const saved = await driver.transaction(async (tx) => {
    const was = await jobs.get(tx, jobId)
    return saveMoved(tx, was, change(was.item), now)
  })
  await writeManifest(driver, saved.item, now)
  return saved.item
}
