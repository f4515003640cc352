import * as z from 'zod'
import type { Board } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { needPerson, type RepositoryContext, type BoardRepository, type BoardRef } from '../context.ts'
import { AnomalyPattern, findPatterns } from './circuit-breaker-patterns.ts'
import { stopForLook } from '../goal/control.ts'
import { recordsOf } from '../records.ts'
import { writeReport } from '../view/sprint-report.ts'
import { boardOf } from '../find.ts'

/** What a look at the anomalies came to. */
type Analysis = z.infer<typeof Analysis>
const Analysis = z.object({
  response: z.enum([...AnomalyPattern.shape.response.options, 'none']),
  findings: z.array(AnomalyPattern),
  /** Relative to the project; null when nothing tripped. */
  report_file: z.string().nullable(),
})

/** What a person asks for, and what a team does by itself. */
export const analyzeBoard = defineOperation({
  name: 'board.analyze',
  summary: 'Look for patterns in what went wrong; one at its threshold stops the team',
  by: ['person'],
  effect: 'change',
  command: 'board analyze',
  input: z.strictObject({}),
  output: Analysis,
  example: {},
  tell: analysisText,
  run: (context: RepositoryContext) => lookForPatterns(context, needPerson(context.actor)),
})

function analysisText({ findings, report_file }: Analysis): string {
  if (findings.length === 0 && report_file === null) return 'No pattern.'
  const stopped = [`The board is stopped. Report: ${report_file}`, 'Decide what to do about it, and resume the board with your decision.']
  return [...findings.map((finding) => `${finding.response}: ${findingText(finding)}`), ...(report_file === null ? [] : stopped)].join('\n')
}

/**
 * Looks for patterns in what went wrong since the last checkpoint was resolved. A pattern at its threshold stops the team
 * for a person's look; the breaker itself mends nothing. Asked again while it is tripped, it only says so.
 */
export async function lookForPatterns(context: BoardRepository, by = 'circuit-breaker'): Promise<Analysis> {
  const board = await boardOf(context)
  const since = lastResolved(board)
  const findings = findPatterns((await recordsOf(context, 'anomaly')).filter(({ timestamp }) => timestamp > since))
  const response = findings[0]?.response ?? 'none'
  const tripped = board.circuit_breaker.current_trigger
  if (tripped !== null) return { response: tripped.response, findings, report_file: tripped.report_file }
  const first = findings[0]
  if (first === undefined || first.response === 'warning') {
    await noteCheck(context, first, by)
    return { response, findings, report_file: null }
  }
  return { response, findings, report_file: await trip(context, board, { ...first, response: first.response }, findings, by) }
}

/** What a person has looked at does not trip the breaker again. */
function lastResolved({ sprint, circuit_breaker }: Board): string {
  const resolved = circuit_breaker.history.flatMap((entry) => (typeof entry['resolved_at'] === 'string' ? [entry['resolved_at']] : []))
  return resolved.toSorted().at(-1) ?? new Date(Date.parse(sprint.timeline.started) - 1).toISOString()
}

/** A warning is said once, until a person has looked. */
async function noteCheck({ driver, board_id }: BoardRef, warned: AnomalyPattern | undefined, by: string): Promise<void> {
  await driver.transaction(async (tx) => {
    const was = await boards.get(tx, board_id)
    const { history } = was.item.circuit_breaker
    const timestamp = (await tx.now()).toISOString()
    const known = history.filter(({ timestamp: at }) => at > lastResolved(was.item))
    const isNew = warned !== undefined && !known.some(({ pattern, about }) => pattern === warned.pattern && about === warned.about)
    const more = isNew ? [{ timestamp, result: 'WARNING', ...plainFinding(warned) }] : []
    const circuit_breaker = { ...was.item.circuit_breaker, last_check: timestamp, history: [...history, ...more] }
    await boards.replace(tx, was, { ...was.item, circuit_breaker })
    if (isNew) await recordActivity(tx, board_id, { agent: by, action: 'breaker_warning', detail: findingText(warned) })
  })
}

type Tripping = AnomalyPattern & { response: 'checkpoint' | 'halt' }

async function trip(context: BoardRepository, board: Board, first: Tripping, findings: AnomalyPattern[], by: string): Promise<string> {
  const timestamp = (await context.driver.now()).toISOString()
  const report_file = await writeReport(context, 'circuit-breaker', reportText(board, findings, timestamp))
  await context.driver.transaction(async (tx) => {
    const was = await boards.get(tx, context.board_id)
    if (was.item.circuit_breaker.current_trigger !== null) return // another process tripped it meanwhile
    const { pattern, severity, response } = first
    const circuit_breaker = {
      ...was.item.circuit_breaker,
      last_check: timestamp,
      status: 'TRIGGERED' as const,
      current_trigger: { timestamp, pattern, severity, response, report_file },
    }
    await boards.replace(tx, was, { ...was.item, circuit_breaker })
    await recordActivity(tx, context.board_id, { agent: by, action: `breaker_${response}`, detail: findingText(first) })
    // What trips during a pause takes its place: with the pause alone it would never be resolved.
    if (was.item.signal === null || was.item.signal.name === 'PAUSE')
      await stopForLook({ ...context, driver: tx }, by, findingText(first), 'supervisor')
  })
  return report_file
}

/** One pattern in words. */
function findingText({ pattern, severity, about, count, tasks }: AnomalyPattern): string {
  return `${pattern} (${severity}): ${count} times "${about}" in ${tasks.join(', ') || 'no task'}`
}

function plainFinding({ pattern, severity, about, count }: AnomalyPattern) {
  return { pattern, severity, about, count }
}

function reportText({ goal, sprint }: Board, findings: readonly AnomalyPattern[], timestamp: string): string {
  return [
    `# Circuit breaker, ${timestamp}`,
    '',
    `Goal: ${goal.description}`,
    `Sprint: ${sprint.id}, since ${sprint.timeline.started}`,
    '',
    ...findings.flatMap((finding) => [
      `## ${finding.pattern}: ${finding.response}`,
      '',
      `- Severity: ${finding.severity}`,
      `- Seen ${finding.count} times (threshold ${finding.threshold}): ${finding.about}`,
      `- Tasks: ${finding.tasks.join(', ') || 'none'}`,
      '',
    ]),
    'Decide what to do about it, and resume the board with your decision.',
    '',
  ].join('\n')
}
