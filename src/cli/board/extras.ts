import { problems, Problem } from '../../domain/problem.ts'
import { mergeRefusal, type TaskRecord } from '../../domain/board/task.ts'
import type { CommandOptions, CommandExtras } from '../operation-commands.ts'
import { readDocument } from '../read-document.ts'
import { say, columns, inLine } from '../terminal.ts'
import { claimText, reviewText, submittedText, taskDetails, taskLine, tasksText } from './text.ts'
import { behindText, type BaseDistance } from '../../board/goal/base-branch.ts'
import type { boardOperations, projectOperations } from '../../board/operations.ts'
import type { BoardRecord } from '../../domain/board/record.ts'
import type { BoardState } from '../../domain/board/state.ts'
import { counted, durationText } from '../../domain/text/format.ts'
import { visible } from '../../roles/fault.ts'
import { refuseExisting } from '../../sandbox/files/refuse-existing.ts'
import { writeText } from '../named-file.ts'

/** A script tells by it that there was nothing to do, from having got something and from an error. */
const NOTHING_EXIT = 3

/** What the terminal adds to the operations of a board: tables for people, and exit codes for scripts. */
export const boardExtras = {
  'board.add_task': { print: taskLine },
  'board.edit_task': { print: taskLine },
  'board.finalize_task': { finish: sayNotices, print: taskLine },
  'board.supersede_task': { print: supersededText },
  'board.abandon_task': { print: taskLine },
  'board.unblock_task': { print: taskLine },
  'board.hold_task': { print: taskLine },
  'board.release_task': { print: taskLine },
  'board.get_task': { print: taskDetails },
  'board.claim_task': {
    finish: orNothing,
    print: (task: Parameters<typeof claimText>[0] | null) =>
      task === null ? 'Nothing can be claimed now; troupe board next shows what is waiting.' : claimText(task),
  },
  'board.review_task': {
    finish: orNothing,
    print: (review: Parameters<typeof reviewText>[0] | null) => (review === null ? 'Nothing waits for review.' : reviewText(review)),
  },
  'board.submit_for_review': { print: submittedText },
  'board.mark_blocked': { print: taskLine },
  'board.write_checkpoint': { print: taskLine },
  'board.submit_verdict': {
    options: [
      ['--file <file>', 'the whole verdict as a YAML or JSON file; - for standard input'],
      ['--approve <evidence...>', 'approve the submitted commit, with what was checked'],
      ['--resolved <findings...>', 'with --approve: the findings of earlier rounds that are resolved, such as 1.1'],
    ],
    fields: verdictFields,
    print: taskLine,
  },
  'board.merge_task': { finish: orNotMerged, print: mergedText },
} as const

function sayNotices<Output extends { notices: readonly string[] }>(output: Output): Output {
  for (const notice of output.notices) say(notice)
  return output
}

function supersededText({ task, replacements }: { task: TaskRecord; replacements: readonly TaskRecord[] }): string {
  return [task, ...replacements].map(taskLine).join('\n')
}

function orNothing<Output>(output: Output): Output {
  if (output === null) process.exitCode = NOTHING_EXIT
  return output
}

/** A script that goes on after a merge must learn that there was none. */
function orNotMerged<Output extends { merge_commit: string | null }>(task: Output): Output {
  if (task.merge_commit === null) process.exitCode = problems.conflict.exit
  return task
}

function mergedText(task: TaskRecord): string {
  const why = mergeRefusal(task)
  return why === null ? taskLine(task) : `${taskLine(task)}\nNot merged: ${why}`
}

/** A verdict in a file, or an approval in a few words. */
async function verdictFields({ file, approve, resolved }: CommandOptions): Promise<Record<string, unknown>> {
  if (file !== undefined && (approve ?? resolved) !== undefined)
    throw new Problem('bad_input', 'give a verdict with --file, or with --approve and --resolved, not both')
  if (typeof file === 'string') return { ...((await readDocument(file)) as object) } // the schema judges it
  if (!Array.isArray(approve)) return {}
  const criteria = approve.map((said: unknown) => ({ criterion: 'done_when', evidence: said }))
  const found = Array.isArray(resolved) ? resolved : []
  return { verdict: 'APPROVED', criteria, prior_findings: found.map((id: unknown) => ({ id, status: 'RESOLVED' })) }
}

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
      const over = `The goal "${visible(goal.description)}" is ${goal.status}; start another with troupe board init.`
      const idle = tasks === 0 ? tasksText([]) : 'Nothing is waiting.'
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
  return text === '' ? [] : [`${text}: troupe board sync merges it in, and so does the next claim or merge`]
}
