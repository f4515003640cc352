import * as z from 'zod'
import { Entry } from '../domain/entry.ts'
import { defineOperation } from '../domain/operation.ts'
import { Run, runFlow } from '../domain/run.ts'
import { counted } from '../domain/text/format.ts'
import type { Driver } from '../store/driver.ts'
import { entries, runs, workflowPlays } from '../store/tables.ts'
import { hiddenFrom, maskedFor } from './trace/hidden-texts.ts'
import { isLeased } from './run/lease.ts'

/** Where runs are looked up. */
export interface RunsContext {
  driver: Driver
}

/** One run as a list shows it: what began it, and the chat, job, workflow or board it belongs to. */
export type RunListing = z.infer<typeof RunListing>
export const RunListing = Run.pick({
  agent_role: true,
  model: true,
  workspace: true,
  turns: true,
  instructions: true,
  usage: true,
  reason: true,
  started_at: true,
  ended_at: true,
}).extend({
  run_id: z.string(),
  way: z.enum(['run', 'chat', 'workflow', 'board', 'job']),
  subject: z.string(),
  /** `interrupted`: its process is gone, and it can be carried on. */
  status: z.enum([...runFlow.states, 'interrupted']),
})

export const listAgentRuns = defineOperation({
  name: 'run.list',
  summary: 'List agent runs, newest first: what they did, what they cost and how to continue',
  by: ['person'],
  effect: 'read',
  command: 'runs',
  input: z.strictObject({ limit: z.int().min(1).max(10_000).default(20).describe('how many at most') }),
  output: z.object({ runs: z.array(RunListing) }),
  example: { limit: 100 },
  tell: (listed) => counted(listed.runs.length, 'run'),
  run: async ({ driver }: RunsContext, { limit }) => {
    // What a run delegated is a part of it.
    const found = await runs.items(driver, { where: { parent_run_id: null }, order: ['-id'], limit })
    return { runs: await Promise.all(found.map((run) => listingOf(driver, run))) }
  },
})

export const showAgentRun = defineOperation({
  name: 'run.show',
  summary: 'Show one run and everything that was said and done in it',
  by: ['person'],
  effect: 'read',
  command: 'runs show <run>',
  input: z.strictObject({ run: z.string().min(1).describe('the id of a run') }),
  output: RunListing.extend({ entries: z.array(Entry) }),
  example: { run: 'run_01' },
  tell: ({ run_id, status, entries: said }) => `${run_id} is ${status}, with ${counted(said.length, 'line')} in its thread`,
  run: async ({ driver }: RunsContext, { run: id }) => {
    const { item } = await runs.get(driver, id)
    const thread = await entries.items(driver, { where: { thread_id: item.thread_id }, order: ['number'] })
    const said = thread.filter(({ run_id }) => run_id === id)
    return { ...(await listingOf(driver, item)), entries: maskedFor(said, await hiddenFrom(driver, item)) }
  },
})

/** A run as a list shows it. */
export async function listingOf(driver: Driver, run: Run): Promise<RunListing> {
  const status = run.status === 'running' && !(await isLeased(driver, run)) ? 'interrupted' : run.status
  const { id: run_id, agent_role, model, workspace, instructions, usage, turns, reason, started_at, ended_at } = run
  const told = { agent_role, model, workspace, instructions, turns, usage, reason, started_at, ended_at }
  return { run_id, ...(await wayOf(driver, run)), status, ...told }
}

/** Each way of working names its threads in its own manner. */
async function wayOf(driver: Driver, { id, thread_id }: Run): Promise<Pick<RunListing, 'way' | 'subject'>> {
  if (thread_id.startsWith('chat_')) return { way: 'chat', subject: thread_id }
  if (thread_id.startsWith('thread_')) return { way: 'run', subject: id }
  const job = /^job_(.+)_(?:[0-9a-z]{25}|chat)$/.exec(thread_id)?.[1]
  if (job !== undefined) return { way: 'job', subject: job.replace(/_replay$/, '') }
  if ((await workflowPlays.find(driver, thread_id)) !== null) return { way: 'workflow', subject: thread_id }
  return { way: 'board', subject: thread_id.split('/')[1] ?? thread_id }
}
