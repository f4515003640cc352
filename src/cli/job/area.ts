import type { ProcessContext } from '../../agent/folder-context.ts'
import type { RunEvent } from '../../domain/event.ts'
import type { Operation } from '../../domain/operation.ts'
import { chatAboutJob } from '../../jobs/chat.ts'
import { tryInJobs, type JobContext, type JobReader } from '../../jobs/context.ts'
import { askOthers } from '../../jobs/replay/counterfactual.ts'
import type { CommandArea } from '../operation-commands.ts'
import type { OpenParts } from '../open/parts.ts'
import { withStore } from '../open/store.ts'
import { stopSignal } from '../stop-signal.ts'
import { say } from '../terminal.ts'

/** What waits for models; Ctrl+C stops these and ends all others at once. */
const asking: readonly string[] = [chatAboutJob.name, askOthers.name]

/** The jobs of the store, looked at. */
export const readerArea: CommandArea<JobReader> = {
  addOptions: () => undefined,
  within: (_options, _operation, work) => withStore((driver) => work({ agent: { driver } })),
  known: jobInEnvironment,
}

/** The jobs of the store, with what agents need. */
export const jobArea: CommandArea<JobContext> = {
  addOptions: () => undefined,
  within: ({ dryRun }, { name }, work) =>
    withJobs(sayError, (context) => {
      if (dryRun === true) return tryInJobs(context, work)
      return work(asking.includes(name) ? { ...context, signal: stopSignal() } : context)
    }),
  known: jobInEnvironment,
}

/** Lends some work what jobs need in this folder, and closes it afterwards; `hear` is told what agents do meanwhile. */
export async function withJobs<Result>(hear: (event: RunEvent) => void, work: (context: JobContext) => Promise<Result>): Promise<Result> {
  const [{ openParts }, { processContext }] = await Promise.all([import('../open/parts.ts'), import('../open/process-context.ts')])
  const workspace = process.cwd()
  const parts = await openParts(workspace)
  try {
    return await work(jobContextOn(parts, processContext(parts, workspace, hear)))
  } finally {
    await parts.driver.close()
  }
}

/** What jobs need, from what was opened. */
export function jobContextOn({ loaded }: OpenParts, context: ProcessContext): JobContext {
  return { ...context, jobsDir: loaded.places.jobs }
}

/** The job of TROUPE_JOB_ID, for operations that must be told which one. */
function jobInEnvironment({ input }: Operation): Record<string, unknown> {
  const job = process.env['TROUPE_JOB_ID']
  const isNeeded = input.shape['job']?.safeParse(undefined).success === false
  return isNeeded && job ? { job } : {}
}

function sayError(event: RunEvent): void {
  if (event.type === 'error') say(`troupe: ${event.message}`)
}
