import type { Moved } from '../../domain/job/decide.ts'
import type { Job } from '../../domain/job/job.ts'
import { Problem } from '../../domain/problem.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { jobMoves, jobs } from '../../store/tables.ts'
import type { JobContext } from '../context.ts'
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

/** Reads a job, decides, stores, and writes the manifest. Whoever says how many moves the job had when they read it decides about that job alone. */
export async function changeJob(context: JobContext, jobId: string, change: (job: Job) => Moved, movesRead?: number): Promise<Job> {
  const { driver, now } = context.agent
  const { item } = await driver.transaction(async (tx) => {
    const was = await jobs.get(tx, jobId)
    refuseUnread(was.item, movesRead)
    return saveMoved(tx, was, change(was.item), now())
  })
  await writeManifest(context, item)
  return item
}

/** A page that slept must not approve a phase its reader has never seen. */
export function refuseUnread({ id, moves, status, current_phase }: Job, movesRead: number | undefined): void {
  if (movesRead === undefined || movesRead === moves) return
  const now = `${status} in phase ${current_phase ?? 'default'}`
  throw new Problem('conflict', `${id} has moved on since you read it: it is ${now}; look at it again before you decide`, {
    details: { job_id: id, moves, moves_read: movesRead },
  })
}
