import type { Command } from 'commander'
import { runOperations } from '../../agent/trace/run-operations.ts'
import type { RunListing, RunsContext } from '../../agent/runs.ts'
import { runFileOperations, type RunFilesContext } from '../../agent/undo-run.ts'
import { dryRun } from '../../store/dry-run.ts'
import { spentText, elapsedText } from '../../domain/text/format.ts'
import { addCommands, type CommandArea } from '../operation-commands.ts'
import { withStore } from '../open/store.ts'
import { inLine, shown, table } from '../terminal.ts'

const runsArea: CommandArea<RunsContext> = {
  addOptions() {},
  within: (_options, _operation, work) => withStore((driver) => work({ driver })),
}

const filesArea: CommandArea<RunFilesContext> = {
  addOptions() {},
  within: ({ dryRun: dry }, _operation, work) =>
    withStore(async (driver, loaded) => {
      const { checkpointSettings } = await import('../../config/wiring.ts')
      const kept = loaded.config.checkpoints.enabled ? checkpointSettings(loaded) : undefined
      const files = { checkpointsIn: async () => kept, now: () => new Date() }
      return dry === true ? dryRun(driver, (tx) => work({ ...files, driver: tx, dry: true })) : work({ ...files, driver })
    }),
}

/** `troupe runs`: what agents did, in every way of working, and how each is gone on with; `troupe runs show`: one of them. */
export function define(command: Command): void {
  addCommands(command, runFileOperations, filesArea)
  addCommands(command, runOperations, runsArea, {
    'run.list': {
      finish: ({ runs }) => ({ runs: runs.map((run) => ({ ...run, resume: resumeCommand(run) })) }),
      print: ({ runs }) => (runs.length === 0 ? 'No runs yet; start one with: troupe run "what to do"' : runsText(runs, new Date())),
    },
    'run.show': {
      print: (run) =>
        [
          runsText([run], new Date()),
          ...run.entries.flatMap((entry) => ('text' in entry && entry.text !== '' ? [`${entry.from}: ${shown(entry.text)}`] : [])),
        ].join('\n'),
    },
  })
}

/** The command that goes on with a run, or says how to go on in its thread once it is over. */
export function resumeCommand({ way, subject, status }: Pick<RunListing, 'way' | 'subject' | 'status'>): string {
  if (way === 'chat') return `troupe chat --resume ${subject}`
  if (way === 'workflow') return `troupe workflow run --resume ${subject}`
  if (way === 'job') return `troupe job show ${subject}`
  if (way === 'board') return 'troupe team'
  if (status === 'waiting') return `troupe run --resume ${subject} --answer VALUE`
  return status === 'running' || status === 'interrupted'
    ? `troupe run --resume ${subject}`
    : `troupe run --resume ${subject} "what to do next"`
}

function runsText(listed: readonly RunListing[], now: Date): string {
  const rows = listed.map((run) => [
    ageText(run.started_at, now),
    run.way,
    run.status,
    inLine(run.agent_role),
    inLine(run.model),
    spentText(run.usage),
    resumeCommand(run),
  ])
  return table(['when', 'by', 'state', 'role', 'model', 'cost', 'continue with'], rows)
}

function ageText(at: string, now: Date): string {
  const ms = now.getTime() - new Date(at).getTime()
  const days = Math.floor(ms / 86_400_000)
  return days > 0 ? `${days} d ago` : `${elapsedText(Math.max(0, ms)).split(' ').slice(0, 2).join(' ')} ago`
}
