import type { Command } from 'commander'
import type { ProcessContext } from '../../agent/folder-context.ts'
import type { RunEvent } from '../../domain/event.ts'
import { Problem } from '../../domain/problem.ts'
import type { JobContext } from '../../jobs/context.ts'
import type { Driver } from '../../store/driver.ts'
import type { SettingOptions } from './settings.ts'
import type { OpenParts } from '../open/parts.ts'
import { withStore } from '../open/store.ts'

/** Every option of every verb; each verb declares those it takes. */
export interface JobOptions extends SettingOptions {
  json?: boolean
  dryRun?: boolean
  activate?: boolean
  base?: string
  dir?: string
  from?: string
  csv?: string
  out?: string
  into?: string
  step?: string
  rollback?: boolean
  note?: string
  role?: string
  review?: boolean
  responseFile?: string
  responseString?: string
  withModel?: string
  roleFile?: string
}

/** Hears the agents of this process while it steps a job. */
export type Listener = { hear: (event: RunEvent) => void }

/** A job stage on what was opened. */
export function jobStageOn({ loaded }: OpenParts, context: ProcessContext): JobContext {
  return { ...context, jobsDir: loaded.places.jobs }
}

/** An action of a verb that works with a stage; it is closed afterwards. */
export function onStage(work: (context: JobContext, options: JobOptions, args: string[], ear: Listener) => Promise<void>) {
  return action(async (options, args) => {
    const [{ openParts }, { processContext }] = await Promise.all([import('../open/parts.ts'), import('../open/process-context.ts')])
    const workspace = process.cwd()
    const parts = await openParts(workspace)
    const ear: Listener = { hear: () => undefined }
    const context = processContext(parts, workspace, (event) => ear.hear(event))
    try {
      await work(jobStageOn(parts, context), options, args, ear)
    } finally {
      await parts.driver.close()
    }
  })
}

/** An action of a verb that only looks: neither roles nor a sandbox are opened for it. */
export function onStore(work: (driver: Driver, options: JobOptions, args: string[]) => Promise<void>) {
  return action((options, args) => withStore((driver) => work(driver, options, args)))
}

/** The job that is meant: the one named, else TROUPE_JOB_ID. */
export function jobIdIn([given]: readonly (string | undefined)[]): string {
  const id = given ?? process.env['TROUPE_JOB_ID']
  if (id !== undefined && id !== '') return id
  throw new Problem('bad_input', 'which job? Name it, or set TROUPE_JOB_ID; troupe job list shows all')
}

function action(work: (options: JobOptions, args: string[]) => Promise<void>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command // commander passes the command itself last, and its options before it
    await work(command.optsWithGlobals<JobOptions>(), given.slice(0, -2) as string[]) // arguments are text
  }
}
