import { behindText, type BaseDistance } from '../../board/goal/base-branch.ts'
import type { boardOperations, projectOperations } from '../../board/operations.ts'
import type { BoardRecord } from '../../domain/board/record.ts'
import type { BoardState } from '../../domain/board/state.ts'
import { counted } from '../../domain/text/counted.ts'
import { durationText } from '../../domain/text/duration.ts'
import { problems } from '../../domain/problem.ts'
import { visible } from '../../roles/fault.ts'
import { refuseExisting } from '../../sandbox/files/refuse-existing.ts'
import { writeText } from '../named-file.ts'
import type { CommandExtras, CommandOptions } from '../operation-commands.ts'
import { columns, inLine, say } from '../terminal.ts'
import { tasksText } from './text.ts'

/** What the terminal adds to the operations of a whole board. */
export const goalExtras: CommandExtras<typeof boardOperations> = {
  'board.sync': {
    /** A script that goes on must learn that the base branch is not in it. */
    finish: (taken) => {
      if (taken.outcome === 'conflict' || taken.outcome === 'held') process.exitCode = problems.conflict.exit
      return taken
    },
  },
  'board.checkpoint': { print: ({ report, report_file }) => `${report}\n\nThe team is stopped. This report: ${report_file ?? 'not kept'}` },
  'board.configure': { print: (config) => columns(Object.entries(config).map(([name, value]) => [name, String(value ?? 'none')])) },
  'board.list_tasks': { print: ({ tasks, base }) => [tasksText(tasks), ...baseLine(base)].join('\n') },
  'board.list_waiting': {
    print: ({ goal, base, tasks, ...waiting }) => {
      const rows = Object.entries(waiting).flatMap(([name, ids]) =>
        ids.length === 0 ? [] : [[name.replace('_', ' '), inLine(visible(ids.join(', ')))]],
      )
      const over = `The goal "${visible(goal.description)}" is ${goal.status}; troupe board init begins another.`
      const idle = tasks === 0 ? tasksText([]) : 'Nothing waits.'
      const nothing = goal.status === 'IN_PROGRESS' ? idle : over
      return [rows.length === 0 ? nothing : columns(rows), ...baseLine(base)].join('\n')
    },
  },
  'board.list_activity': {
    print: ({ lines }) =>
      columns(lines.map(({ timestamp, agent, action, task, detail }) => [timestamp, agent, action, task ?? '', inLine(detail)])),
  },
  'board.list_records': {
    print: ({ records }) => columns(records.map((record) => [record.timestamp, record.id, record.task ?? '', inLine(saidIn(record))])),
  },
  'board.view_sprint': {
    print: ({ cycle_times, rubber_stamp_warning, ...figures }) => {
      const rows = Object.entries(figures).flatMap(([name, value]) => (Array.isArray(value) ? [] : [[name, String(value ?? '–')]]))
      const cycle = cycle_times.map(({ task, value }) => [`cycle time of ${task}`, durationText(value)])
      return [
        columns([...rows, ...cycle]),
        ...(rubber_stamp_warning ? ['Warning: nearly everything is approved; are the reviews real?'] : []),
      ].join('\n')
    },
  },
  'board.view': {
    print: ({ goal, sprint, columns: states, agents, waiting_for_approval, base }) =>
      [
        `${visible(goal.description)}: ${goal.status}, sprint ${sprint.status}`,
        columns([
          ...states.flatMap(({ status, count }) => (count === 0 ? [] : [[status, String(count)]])),
          ['waiting for approval', String(waiting_for_approval)],
          ...agents.map(({ id, status, current_task }) => [id, `${status} ${current_task ?? ''}`]),
        ]),
        ...baseLine(base),
      ].join('\n'),
  },
  'board.export': {
    options: [['--out <file>', 'write it to this file instead of printing it']],
    finish: (state, options) => writeState(state, options),
    print: async (state, { out }) => (typeof out === 'string' ? `Written: ${out}` : (await yamlOf(state)).trimEnd()),
  },
}

/** The same for those of a folder. */
export const projectExtras: CommandExtras<typeof projectOperations> = {
  'board.validate': {
    finish: (found, { json }) => {
      if (json !== true)
        for (const { rule, subject, message, severity } of found.violations)
          say(`${severity === 'error' ? 'INVALID' : 'warning'} [${rule}] ${subject}: ${message}`)
      if (!found.valid) process.exitCode = problems.bad_input.exit
      return found
    },
    print: ({ valid, violations, kept_refs, root }) => {
      const errors = violations.filter(({ severity }) => severity === 'error')
      if (!valid) return `INVALID: ${counted(errors.length, 'violation')}; spec files and worktrees were looked for in ${root}`
      return ['VALID', ...kept_refs.map((ref) => `kept: ${ref}`)].join('\n')
    },
  },
}

function saidIn(record: BoardRecord): string {
  const filing = ['id', 'board_id', 'kind', 'task', 'timestamp']
  return Object.entries(record)
    .flatMap(([name, value]) => (filing.includes(name) ? [] : [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]))
    .join(' · ')
}

async function writeState(state: BoardState, { out }: CommandOptions): Promise<unknown> {
  if (typeof out !== 'string') return state
  refuseExisting(out)
  await writeText(out, await yamlOf(state), { mode: 0o600 })
  return { file: out }
}

async function yamlOf(state: BoardState): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(state, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** How far the integration branch is behind its base; said only where it is. */
function baseLine(base: BaseDistance | null): string[] {
  const text = behindText(base)
  return text === '' ? [] : [`${text}: troupe board sync takes it in, and so do the next claim and merge`]
}
