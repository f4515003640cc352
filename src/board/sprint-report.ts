import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Board } from '../domain/board.ts'
import { boardMetrics, type BoardMetrics } from '../domain/board-metrics.ts'
import type { RecordOf } from '../domain/board-record.ts'
import type { Task } from '../domain/task.ts'
import { durationText } from '../domain/duration.ts'
import { boardRecords, boards, tasks } from '../store/tables.ts'
import type { Desk } from './desk.ts'
import { inOwnFolder } from './own-files.ts'
import { titleOf } from './view.ts'

/** More of anything than this is summed up. */
const LISTED = 50

/** The sprint as a person reads it at a checkpoint, in Markdown. Counted from the record each time, so it cannot drift. */
export async function sprintReport({ driver, board_id }: Pick<Desk, 'driver' | 'board_id'>): Promise<string> {
  const { item: board } = await boards.get(driver, board_id)
  const all = (await tasks.list(driver, { where: { board_id }, order: ['number'] })).map(({ item }) => item)
  const anomalies = (await boardRecords.list(driver, { where: { board_id, kind: 'anomaly' }, order: ['id'] })).flatMap(({ item }) =>
    item.kind === 'anomaly' ? [item] : [],
  )
  const metrics = boardMetrics(all)
  return [
    `# ${board.sprint.id}: ${board.goal.description}`,
    ...standing(board, await driver.now()),
    ...figures(metrics),
    ...section(
      'Merged',
      all.flatMap(({ id, description }) => mergedLine(id, description, metrics)),
    ),
    ...section('Waits for an answer', all.filter(({ status }) => status === 'BLOCKED').map(blockedLine)),
    ...section('Anomalies', anomalyLines(anomalies)),
    ...section(
      'Decided so far',
      (board.sprint.retrospective?.decisions ?? []).map((one) => `${one.timestamp}, ${one.by}: ${one.decision}`),
    ),
    ...(board.signal?.name === 'CHECKPOINT' ? afterwards : []),
  ].join('\n')
}

/** Puts the report of a checkpoint beside the project; says where. */
export async function writeSprintReport(desk: Omit<Desk, 'sandbox'>): Promise<string> {
  const report_file = `.troupe/reports/checkpoint-${(await desk.driver.now()).toISOString().replaceAll(/[:.]/g, '-')}.md`
  await writeReport(desk, report_file, `${await sprintReport(desk)}\n`)
  return report_file
}

/** Writes a report among those of the project. */
export async function writeReport({ repository, dry }: Pick<Desk, 'repository' | 'dry'>, report_file: string, text: string): Promise<void> {
  if (dry === true) return
  await inOwnFolder(repository.root, 'reports', (at) => writeFile(at(basename(report_file)), text, { flag: 'wx' }))
}

const afterwards = [
  '',
  '## To go on',
  '',
  '1. Read what is blocked and what went wrong; mend the spec where it is silent, and say so with `troupe board spec-change`.',
  '2. Answer, replace or abandon what is blocked.',
  '3. Decide: go on, replan, or stop. `troupe board resume "DECISION"` goes on, `troupe board abort` ends the goal.',
]

function standing({ sprint, signal }: Board, now: Date): string[] {
  const { started, deadline, ended } = sprint.timeline
  const took = Date.parse(ended ?? now.toISOString()) - Date.parse(started)
  return [
    '',
    `- Status: ${sprint.status}; begun ${started}, ${durationText(took)} so far${deadline === null ? '' : `, deadline ${deadline}`}`,
    ...(signal === null
      ? []
      : [`- ${signal.name} by ${signal.by} since ${signal.since}${signal.message === '' ? '' : `: ${signal.message}`}`]),
  ]
}

function figures(metrics: BoardMetrics): string[] {
  const rate = metrics.review_verdict_approval_rate_percent
  return [
    `- Planned: ${metrics.tasks_planned_done} of ${metrics.tasks_planned} done; stretch: ${metrics.tasks_stretch_done} of ${metrics.tasks_stretch}`,
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

function blockedLine({ id, blocked_reason, blocked_questions }: Task): string {
  return [`${id}: ${blocked_reason ?? 'blocked'}`, ...blocked_questions].join(' ')
}

function anomalyLines(anomalies: readonly RecordOf<'anomaly'>[]): string[] {
  return [...Map.groupBy(anomalies, ({ type }) => type)].map(([type, theirs]) => {
    const about = [...new Set(theirs.flatMap(({ task }) => task ?? []))]
    return `${type}: ${theirs.length}${about.length === 0 ? '' : ` (${about.slice(0, 10).join(', ')})`}`
  })
}
