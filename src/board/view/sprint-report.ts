import { writeFile } from 'node:fs/promises'
import * as z from 'zod'
import type { Board } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { boardMetrics, type BoardMetrics } from '../../domain/board/metrics.ts'
import type { RecordOf } from '../../domain/board/record.ts'
import { droppedStates } from '../../domain/board/task-flow.ts'
import type { Task, TaskEntry, TaskClaim } from '../../domain/board/task.ts'
import { durationText } from '../../domain/text/format.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import { boards, tasks } from '../../store/tables.ts'
import type { RecordsContext, BoardRepository, BoardRef } from '../context.ts'
import { inOwnFolder } from '../worktree/own-files.ts'
import { recordsOf } from '../records.ts'
import { titleOf } from './cards.ts'

/** More of anything than this is summed up. */
const LISTED = 50

/** The sprint as a person reads it at a checkpoint. */
export const viewReport = defineOperation({
  name: 'board.view_report',
  summary: 'Show the sprint as it is read at a checkpoint, in Markdown',
  by: ['person'],
  effect: 'read',
  command: 'board report',
  input: z.strictObject({}),
  output: z.object({ text: z.string() }),
  example: {},
  tell: ({ text }) => text,
  run: async (context: RecordsContext) => ({ text: await sprintReport(context) }),
})

/** The sprint as a person reads it at a checkpoint, in Markdown. Counted from the record each time, so it cannot drift. */
export async function sprintReport(context: BoardRef): Promise<string> {
  const { driver, board_id } = context
  const { item: board } = await boards.get(driver, board_id)
  const all = await tasks.items(driver, { where: { board_id }, order: ['number'] })
  const metrics = boardMetrics(all)
  return [
    `# ${board.sprint.id}: ${board.goal.description}`,
    ...standing(board, await driver.now()),
    ...figures(metrics, all),
    ...section(
      'Merged',
      all.flatMap(({ id, description }) => mergedLine(id, description, metrics)),
    ),
    ...section('Waits for an answer', all.filter(({ status }) => status === 'BLOCKED').map(blockedLine)),
    ...section('Anomalies', anomalyLines(await recordsOf(context, 'anomaly'))),
    ...section(
      'Decided so far',
      (board.sprint.retrospective?.decisions ?? []).map((one) => `${one.timestamp}, ${one.by}: ${one.decision}`),
    ),
    ...(board.signal?.name === 'CHECKPOINT' ? afterwards : []),
  ].join('\n')
}

/** Puts the report of a checkpoint that was just made beside the project; says where. The team stands still whether it can be written or not. */
export async function writeSprintReport(board: BoardRepository): Promise<string> {
  return writeReport(board, 'checkpoint', `${await sprintReport(board)}\n`).catch((error: unknown) => {
    const { code, message } = asProblem(error)
    const next = [{ operation: 'board.view_report' }, { operation: 'board.resume', input: { decision: 'DECISION' } }]
    throw new Problem(code, `the board is under CHECKPOINT, but its report was not written: ${message}`, { cause: error, next })
  })
}

/** Writes a report among those of the project, under the moment it is of; says where. */
export async function writeReport({ driver, repository, dry }: BoardRepository, about: string, text: string): Promise<string> {
  const name = `${about}-${(await driver.now()).toISOString().replaceAll(/[:.]/g, '-')}.md`
  if (dry !== true) await inOwnFolder(repository.root, 'reports', (at) => writeFile(at(name), text, { flag: 'wx' }))
  return `.troupe/reports/${name}`
}

const afterwards = [
  '',
  '## Next',
  '',
  '1. Read what is blocked and what went wrong; fill the gaps in the spec, and record that you did.',
  '2. Answer, replace or abandon what is blocked.',
  '3. Decide: continue, replan, or stop. Resume the board with your decision, or abort it to end the goal.',
]

function standing({ sprint, signal }: Board, now: Date): string[] {
  const { started, deadline, ended } = sprint.timeline
  const took = Date.parse(ended ?? now.toISOString()) - Date.parse(started)
  return [
    '',
    `- Status: ${sprint.status}; started ${started}, ${durationText(took)} so far${deadline === null ? '' : `, deadline ${deadline}`}`,
    ...(signal === null
      ? []
      : [`- ${signal.name} by ${signal.by} since ${signal.since}${signal.message === '' ? '' : `: ${signal.message}`}`]),
  ]
}

function figures(metrics: BoardMetrics, all: readonly Task[]): string[] {
  const dropped = droppedStates.flatMap((state) => {
    const count = all.filter(({ status }) => status === state).length
    return count === 0 ? [] : [`${count} ${state}`]
  })
  const rate = metrics.review_verdict_approval_rate_percent
  return [
    `- Planned: ${metrics.tasks_planned_done} of ${metrics.tasks_planned} done; stretch: ${metrics.tasks_stretch_done} of ${metrics.tasks_stretch}`,
    ...(dropped.length === 0 ? [] : [`- Given up: ${dropped.join(', ')}`]),
    `- In progress: ${metrics.tasks_in_progress}; blocked: ${metrics.tasks_blocked}; iterations: ${metrics.iterations_total}`,
    `- Verdicts: ${metrics.review_verdict_count}${rate === null ? '' : `, ${rate}% of them approvals`}`,
    ...(metrics.rubber_stamp_warning ? ['- **Nearly everything is approved; are the reviews real?**'] : []),
  ]
}

function section(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const more = lines.length > LISTED ? [`- and ${lines.length - LISTED} more`] : []
  return ['', `## ${heading}`, '', ...lines.slice(0, LISTED).map((line) => `- ${line}`), ...more]
}

function mergedLine(id: string, description: string, { cycle_times_ms }: BoardMetrics): string[] {
  const took = cycle_times_ms[id]
  return took === undefined ? [] : [`${id} (${titleOf({ description })}) in ${durationText(took)}`]
}

function blockedLine({ id, blocked_reason, blocked_questions }: TaskEntry & TaskClaim): string {
  return [`${id}: ${blocked_reason ?? 'blocked'}`, ...blocked_questions].join(' ')
}

function anomalyLines(anomalies: readonly RecordOf<'anomaly'>[]): string[] {
  return [...Map.groupBy(anomalies, ({ type }) => type)].map(([type, theirs]) => {
    const about = [...new Set(theirs.flatMap(({ task }) => task ?? []))]
    return `${type}: ${theirs.length}${about.length === 0 ? '' : ` (${about.slice(0, 10).join(', ')})`}`
  })
}
