import type { Command } from 'commander'
import { spentText } from '../../domain/text/dollars.ts'
import { elapsedText } from '../../domain/text/duration.ts'
import type { Run } from '../../domain/run.ts'
import { isLeased } from '../../agent/lease.ts'
import type { Driver } from '../../store/driver.ts'
import { runs, workflowPlays } from '../../store/tables.ts'
import { withStore } from '../open/store.ts'
import { wholeNumber } from './options.ts'
import { inLine, print, printJson, table } from '../terminal.ts'
import { wantsJson } from '../verb.ts'

/** `troupe runs`: what agents did, in every way of working, and how each is gone on with. */
export function define(command: Command): void {
  command.option('--limit <number>', 'how many, newest first', '20').action(async (options: { limit: string }, called: Command) => {
    const limit = wholeNumber('--limit', options.limit, { from: 1, to: 10_000 })
    const listed = await withStore((driver) => listRuns(driver, limit))
    if (wantsJson(called)) return printJson({ runs: listed })
    if (listed.length === 0) return print('No runs yet; start one with: troupe run "what to do"')
    print(runsText(listed, new Date()))
  })
}

/** One run as the list shows it. */
type ListedRun = Awaited<ReturnType<typeof listRuns>>[number]

/** The newest runs that a person or a way of working began; what they delegated is part of them. */
async function listRuns(driver: Driver, limit: number) {
  const found = await runs.items(driver, { where: { parent_run_id: null }, order: ['-id'], limit })
  return Promise.all(
    found.map(async (run) => {
      const way = await wayOf(driver, run)
      const status = run.status === 'running' && !(await isLeased(driver, run)) ? ('interrupted' as const) : run.status
      const { id: run_id, agent_role, model, workspace, usage, turns, reason, started_at, ended_at } = run
      const resume = resumeCommand(way, run)
      return { run_id, way: way.name, status, reason, agent_role, model, workspace, turns, usage, started_at, ended_at, resume }
    }),
  )
}

type Way = { name: 'run' | 'chat' | 'workflow' | 'board' | 'job'; id: string }

/** Each way of working names its threads in its own manner. */
async function wayOf(driver: Driver, { id, thread_id }: Run): Promise<Way> {
  if (thread_id.startsWith('chat_')) return { name: 'chat', id: thread_id }
  if (thread_id.startsWith('thread_')) return { name: 'run', id }
  const job = /^job_(.+)_(?:[0-9a-z]{25}|chat)$/.exec(thread_id)?.[1]
  if (job !== undefined) return { name: 'job', id: job.replace(/_replay$/, '') }
  if ((await workflowPlays.find(driver, thread_id)) !== null) return { name: 'workflow', id: thread_id }
  return { name: 'board', id: thread_id.split('/')[1] ?? thread_id }
}

/** The command that goes on with a run, or says how to go on in its thread once it is over. */
export function resumeCommand({ name, id }: Way, { status }: Pick<Run, 'status'>): string {
  if (name === 'chat') return `troupe chat --resume ${id}`
  if (name === 'workflow') return `troupe workflow run --resume ${id}`
  if (name === 'job') return `troupe job show ${id}`
  if (name === 'board') return 'troupe team'
  if (status === 'waiting') return `troupe run --resume ${id} --answer VALUE`
  return status === 'running' ? `troupe run --resume ${id}` : `troupe run --resume ${id} "what to do next"`
}

function runsText(listed: readonly ListedRun[], now: Date): string {
  const rows = listed.map((run) => [
    ageText(run.started_at, now),
    run.way,
    run.status,
    inLine(run.agent_role),
    inLine(run.model),
    spentText(run.usage),
    run.resume,
  ])
  return table(['when', 'by', 'state', 'role', 'model', 'cost', 'go on with'], rows)
}

function ageText(at: string, now: Date): string {
  const ms = now.getTime() - new Date(at).getTime()
  const days = Math.floor(ms / 86_400_000)
  return days > 0 ? `${days} d ago` : `${elapsedText(Math.max(0, ms)).split(' ').slice(0, 2).join(' ')} ago`
}
