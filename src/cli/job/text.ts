import { counted, dollars, spentText, type Spending, durationText } from '../../domain/text/format.ts'
import { isFinal, stepsFor } from '../../domain/flow.ts'
import { jobFlow } from '../../domain/job/flow.ts'
import type { JobInteraction } from '../../domain/job/history.ts'
import type { Job, JobMove } from '../../domain/job/job.ts'
import type { JobMetrics } from '../../jobs/view/metrics.ts'
import type { previewStep } from '../../jobs/view/preview.ts'
import type { JobSummary, JobView } from '../../jobs/view/job.ts'
import type { readTimeline } from '../../jobs/view/timeline.ts'
import { jobOperations } from '../../jobs/operations.ts'
import { exampleLine } from '../operation-commands.ts'
import { barred, columns, inLine, paint, shown, table, type Style } from '../terminal.ts'

const styles: Partial<Record<Job['status'], Style>> = {
  SUCCESS: 'green',
  CANCELED: 'dim',
  INTERVENTION_REQUIRED: 'red',
  APPROVAL_REQUIRED: 'yellow',
  RUNNING: 'cyan',
  REVIEWING: 'cyan',
}

/** Jobs under each other, the queue first. */
export function jobTable(jobs: readonly JobSummary[]): string {
  if (jobs.length === 0) return 'No jobs yet; create one with troupe job create'
  const rows = jobs.map((job) => [
    job.queue === null ? '' : `${job.queue}`,
    job.id,
    statusText(job.status),
    `${job.phase.number}/${job.phase.of} ${shown(job.phase.name)}`,
    costText(job, job.max_cost_microusd),
    shown(job.reason_text || job.title).split('\n')[0] ?? '',
  ])
  return table(['queue', 'job', 'status', 'phase', 'cost', ''], rows)
}

/** What state one job is in, and what can be done. */
export function jobText(view: JobView): string {
  const { summary, job, possible_moves, doubts } = view
  const rows = [
    ['job', `${job.id}  ${statusText(job.status)}${job.reason === null ? '' : ` (${job.reason})`}`],
    ...(job.reason_text === '' ? [] : [['why', barred(job.reason_text)]]),
    [
      'phase',
      `${summary.phase.number} of ${summary.phase.of}: ${shown(summary.phase.name)}, round ${job.rounds + 1}, ${counted(job.iterations, 'step')}`,
    ],
    ['used', `${costText(job.usage, job.limits.max_cost_microusd)}, ${durationText(job.worked_ms)}`],
    ['workspace', workspaceText(view)],
    ...workRows(view),
    ...(job.merged_commit === null ? [] : [['merged', job.merged_commit]]),
    ...(doubts.length === 0 ? [] : [['warnings', inLine(doubts.join('; '))]]),
    ['you can', verbsOf(possible_moves).join(', ') || 'nothing: it is over'],
  ]
  return columns(rows.map(([name = '', value = '']) => [paint('dim', name), value]))
}

/** What a person types for moves, after `troupe job`. */
function verbsOf(moves: JobView['possible_moves']): string[] {
  return stepsFor(jobFlow, moves).flatMap(({ operation, input }) => {
    const verb = jobOperations.find(({ name }) => name === operation)?.command?.split(' ')[1]
    return verb === undefined ? [] : exampleLine({ command: verb, example: input ?? {} })
  })
}

/** Who is at work, was when its process died, or works next. */
function workRows({ summary: { seat }, job: { id, active }, worked_on }: JobView): string[][] {
  if (active === null) return seat === null ? [] : [['next', `the ${seat} works: troupe job step ${id}, or run`]]
  const who = `${active.seat} in process ${active.pid} on ${active.host} since ${active.started_at}`
  if (worked_on) return [['at work', who]]
  const goesOn = seat === null ? '' : `troupe job step ${id}, or run, continues it; `
  return [
    ['cut off', `${who}; that process is gone`],
    ['next', `${goesOn}troupe job recover ${id} repairs it without asking an agent`],
  ]
}

function workspaceText({ job: { id, status, workspace, branch, base_commit }, has_workspace }: JobView): string {
  if (has_workspace) return `${workspace} on ${branch}`
  if (base_commit === null) return status === 'DRAFT' ? `none yet; troupe job activate ${id} creates it` : 'none'
  return isFinal(jobFlow, status)
    ? `removed with ${branch}; troupe job diff ${id} shows what it changed`
    : `missing; the next step recreates it from ${branch}`
}

/** What state a job is in, in a line; `more` is what else there is to say of its last step. */
export function stepLine(job: Job, stream?: NodeJS.WriteStream, more: readonly string[] = []): string {
  const where = [`phase ${inLine(job.current_phase ?? 'default')}, round ${job.rounds + 1}`, ...more].join(' · ')
  return `${job.id}  ${statusText(job.status, stream)}  ${where}${whyText(job)}`
}

function whyText({ id, reason_text, not_before }: Job): string {
  if (reason_text !== '') return `: ${inLine(reason_text)}`
  if (not_before === null) return ''
  return `: it failed and is retried after ${not_before.slice(11, 19)} UTC; troupe job history ${id} shows why`
}

/** Who acts next, and what it is told. */
export function previewText({ seat, limit, request }: Awaited<ReturnType<typeof previewStep.run>>): string {
  const stopped = limit === null ? '' : `, but stopped first: ${limit.text}`
  return `${seat} with ${request.metadata.model}${stopped}\n\n${shown(request.prompt)}`
}

/** The history, an exchange a paragraph. */
export function historyText(history: readonly JobInteraction[]): string {
  return history
    .map(
      ({
        sequence,
        seat,
        simulated,
        interaction: { timestamp, state_before, request, response },
        state_after,
        set_aside,
        evidence,
        checks,
      }) =>
        [
          `${paint('bold', `${sequence}. ${request.metadata.role}`)} ${paint('dim', `${timestamp} ${simulated ? 'answered by hand' : request.metadata.model}`)} ${state_before} → ${statusText(state_after)}`,
          `   ${response.actions[0] ?? response.status}: ${barred(response.summary_for_supervisor)}`,
          ...(set_aside === null ? [] : [`   its files are set aside under ${set_aside.ref}`]),
          ...evidence.claimed.map(
            ({ path, found, detail }) => `   ${found === 'changed' ? '✔' : '·'} ${inLine(path)}: ${found} (${inLine(detail)})`,
          ),
          ...(seat === 'worker' ? unnamedLines(evidence.unclaimed) : []),
          ...checks.map(
            ({ name, passed, exit_code }) => `   ${passed ? '✔' : '✘'} check ${inLine(name)}: exit code ${exit_code ?? 'none'}`,
          ),
        ].join('\n'),
    )
    .join('\n')
}

/** Moves under each other. */
export function movesText(moves: readonly JobMove[]): string {
  return moves.map(moveLine).join('\n')
}

function moveLine({ at, actor, move, from, to, note }: JobMove): string {
  return `${at} ${actor} ${move}: ${from} → ${to}${note === '' ? '' : ` (${inLine(note)})`}`
}

/** A page of what happened, newest first; an exchange comes after the move that began it. */
export function timelineText({ exchanges, moves, earlier }: Awaited<ReturnType<typeof readTimeline.run>>): string {
  const lines = [
    ...exchanges.map((exchange) => ({ place: exchange.after_move + 0.5 + exchange.sequence / 1e9, text: historyText([exchange]) })),
    ...moves.map((move) => ({ place: move.number, text: moveLine(move) })),
  ]
  const first = exchanges.at(-1)?.sequence
  const more = earlier && first !== undefined ? [paint('dim', `earlier: --before ${first}`)] : []
  return [...lines.toSorted((a, b) => b.place - a.place).map(({ text }) => text), ...more].join('\n') || 'Nothing has happened yet'
}

const UNNAMED_AT_MOST = 20

/** A Supervisor names what it looked at, so only a Worker's silence is worth a line. */
function unnamedLines(paths: readonly string[]): string[] {
  const lines = paths.slice(0, UNNAMED_AT_MOST).map((path) => `   ! ${inLine(path)}: changed, not named`)
  return paths.length > UNNAMED_AT_MOST ? [...lines, `   ! and ${paths.length - UNNAMED_AT_MOST} more files`] : lines
}

/** Success by role and model as a table. */
export function metricsText({ groups, steps, projection }: JobMetrics): string {
  const rows = groups.map((group) => [
    group.role,
    group.model,
    `${group.interactions}`,
    `${Math.round(group.success_rate * 100)} %`,
    `${group.RETRY}`,
    `${group.STUCK}`,
    `${group.invalid + group.failed}`,
    spentText(group),
    durationText(group.took_ms),
  ])
  const heads = ['role', 'model', 'steps', 'completed', 'retry', 'stuck', 'failed', 'cost', 'time']
  const rest =
    projection && projection.phases_left > 0
      ? `\n${counted(projection.phases_left, 'phase')} left would cost ${projection.cost_microusd === null ? 'an unknown amount' : dollars(projection.cost_microusd)} at this rate`
      : ''
  const hand = steps.filter(({ simulated }) => simulated).length
  const byHand = hand === 0 ? '' : `\n${counted(hand, 'step')} answered by hand and not counted`
  return table(heads, rows) + byHand + rest
}

function statusText(status: Job['status'], stream?: NodeJS.WriteStream): string {
  const style = styles[status]
  return style === undefined ? status : paint(style, status, stream)
}

/** What is spent, yellow from three quarters on and red where nothing is left. */
function costText(spent: Spending, max_cost_microusd: number | null): string {
  const text = spentText(spent, max_cost_microusd)
  const share = max_cost_microusd === null ? 0 : (spent.cost_microusd ?? 0) / Math.max(1, max_cost_microusd)
  return share >= 1 ? paint('red', text) : share >= 0.75 ? paint('yellow', text) : text
}
