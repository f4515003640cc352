import type { Command } from 'commander'
import type { BoardRef } from '../../board/desk.ts'
import { recordsOf } from '../../board/records.ts'
import { addHumanNote, addSpecChange, reportAnomaly, reportDiscovery, settleDiscovery } from '../../board/view/report.ts'
import { completeWhenReached } from '../../board/team/upkeep/complete-goal.ts'
import { DiscoverySeverity, isUrgent } from '../../domain/board/record.ts'
import { Problem } from '../../domain/problem.ts'
import { boardVerb, changing } from './context.ts'
import { oneOf, pairsOf } from './input.ts'

/** anomaly, discover, settle, note, spec-change: what is written down beside the tasks. */
export function defineBoardRecords(noun: Command): void {
  changing<{ task?: string; detail?: string[] }>(
    boardVerb(noun, 'anomaly', 'write down something that went wrong')
      .argument('<type>')
      .option('--task <id>', 'the task it concerns')
      .option('--detail <name=text...>', 'what its type requires, such as count=3 error_pattern=ENOENT'),
    async ({ board, options, args: [type = ''], actor }) => {
      const anomaly = await reportAnomaly(board, await actor(), {
        task: options.task ?? null,
        type,
        details: pairsOf(options.detail ?? []),
      })
      return { value: anomaly, text: `Logged: ${anomaly.type}` }
    },
  )
  changing<{ task?: string; severity?: string; immediate?: boolean; recommend?: string }>(
    boardVerb(noun, 'discover', 'write down work that was come across and not done')
      .argument('<description>')
      .option('--task <id>', 'the task it was found during')
      .option('--severity <level>', DiscoverySeverity.options.join(', '))
      .option('--immediate', 'wake the planner')
      .option('--recommend <text>', 'what should be done'),
    async ({ board, options, args: [description = ''], actor }) => {
      const found = await reportDiscovery(board, await actor(), {
        task: options.task ?? null,
        description,
        urgency: options.immediate === true ? 'immediate' : 'deferred',
        ...(options.severity === undefined ? {} : { severity: oneOf('--severity', DiscoverySeverity.options, options.severity) }),
        ...(options.recommend === undefined ? {} : { recommendation: options.recommend }),
      })
      return { value: found, text: `Written down: ${found.id}` }
    },
  )
  defineSettle(noun)
  defineNotes(noun)
}

function defineNotes(noun: Command): void {
  changing<{ task?: string }>(
    boardVerb(noun, 'note', 'tell whoever works on a task, or everyone, something')
      .argument('<message>')
      .option('--task <id>', 'only those who work on it'),
    async ({ board, options, args: [message = ''], human }) => {
      const note = await addHumanNote(board, human(), { task: options.task ?? null, message })
      return { value: note, text: 'Noted; it reaches the next prompt.' }
    },
  )
  changing<{ spec: string; change: string; triggeredBy: string }>(
    boardVerb(noun, 'spec-change', 'say that a spec was edited, and why')
      .requiredOption('--spec <file>', 'which, with #section')
      .requiredOption('--change <text>', 'what changed')
      .requiredOption('--triggered-by <text>', 'the task or the event behind it'),
    async ({ board, options: { spec, change, triggeredBy }, actor }) => {
      const record = await addSpecChange(board, await actor(), { task: null, spec, change, triggered_by: triggeredBy })
      return { value: record, text: `Written down: ${spec}` }
    },
  )
}

interface SettleOptions {
  task?: string
  defer?: string
  reject?: string
}

function defineSettle(noun: Command): void {
  changing<SettleOptions>(
    boardVerb(noun, 'settle', 'say what becomes of an immediate discovery: a task, something for later, or nothing')
      .argument('[discovery]', 'its id; the one that waits when left out')
      .option('--task <id>', 'the task it has become')
      .option('--defer <why>', 'why it can wait')
      .option('--reject <why>', 'why it becomes no task'),
    async ({ board, options, args: [named], actor }) => {
      const settled = await settleDiscovery(board, await actor(), named ?? (await onlyUrgent(board)), answerIn(options))
      await completeWhenReached(board.driver, board.board_id)
      return { value: settled, text: `Settled: ${settled.description}` }
    },
  )
}

async function onlyUrgent(board: BoardRef): Promise<string> {
  const waiting = (await recordsOf(board, 'discovery')).filter(isUrgent).map(({ id }) => id)
  if (waiting.length === 1) return waiting.join()
  throw new Problem('bad_input', waiting.length === 0 ? 'no discovery waits for an answer' : `say which discovery: ${waiting.join(', ')}`)
}

function answerIn({ task, defer, reject }: SettleOptions) {
  const given = [task, defer, reject].filter((said) => said !== undefined && said.trim() !== '')
  if (given.length !== 1) throw new Problem('bad_input', 'say what becomes of it: --task ID, --defer "WHY" or --reject "WHY"')
  if (task !== undefined) return { converted_to_task: task }
  return defer === undefined ? { dismissed: reject ?? '' } : { deferred: defer }
}
