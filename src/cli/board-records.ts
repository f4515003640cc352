import type { Command } from 'commander'
import { addHumanNote, addSpecChange, reportAnomaly, reportDiscovery } from '../board/report.ts'
import { DiscoverySeverity } from '../domain/board-record.ts'
import { boardVerb, changing } from './board-desk.ts'
import { oneOf, pairsOf } from './board-input.ts'

/** anomaly, discover, note, spec-change: what is written down beside the tasks. */
export function defineBoardRecords(board: Command): void {
  changing<{ task?: string; detail?: string[] }>(
    boardVerb(board, 'anomaly', 'write down something that went wrong')
      .argument('<type>')
      .option('--task <id>', 'the task it concerns')
      .option('--detail <name=text...>', 'what its type requires, such as count=3 error_pattern=ENOENT'),
    async ({ desk, options, args: [type = ''], actor }) => {
      const anomaly = await reportAnomaly(desk, await actor(), { task: options.task ?? null, type, details: pairsOf(options.detail ?? []) })
      return { value: anomaly, text: `Logged: ${anomaly.type}` }
    },
  )
  changing<{ task?: string; severity?: string; immediate?: boolean; recommend?: string }>(
    boardVerb(board, 'discover', 'write down work that was come across and not done')
      .argument('<description>')
      .option('--task <id>', 'the task it was found during')
      .option('--severity <level>', DiscoverySeverity.options.join(', '))
      .option('--immediate', 'wake the planner')
      .option('--recommend <text>', 'what should be done'),
    async ({ desk, options, args: [description = ''], actor }) => {
      const found = await reportDiscovery(desk, await actor(), {
        task: options.task ?? null,
        description,
        urgency: options.immediate === true ? 'immediate' : 'deferred',
        ...(options.severity === undefined ? {} : { severity: oneOf('--severity', DiscoverySeverity.options, options.severity) }),
        ...(options.recommend === undefined ? {} : { recommendation: options.recommend }),
      })
      return { value: found, text: `Written down: ${found.id}` }
    },
  )
  changing<{ task?: string }>(
    boardVerb(board, 'note', 'tell whoever works on a task, or everyone, something')
      .argument('<message>')
      .option('--task <id>', 'only those who work on it'),
    async ({ desk, options, args: [message = ''], human }) => {
      const note = await addHumanNote(desk, human(), { task: options.task ?? null, message })
      return { value: note, text: 'Noted; it reaches the next prompt.' }
    },
  )
  changing<{ spec: string; change: string; triggeredBy: string }>(
    boardVerb(board, 'spec-change', 'say that a spec was edited, and why')
      .requiredOption('--spec <file>', 'which, with #section')
      .requiredOption('--change <text>', 'what changed')
      .requiredOption('--triggered-by <text>', 'the task or the event behind it'),
    async ({ desk, options: { spec, change, triggeredBy }, actor }) => {
      const record = await addSpecChange(desk, await actor(), { task: null, spec, change, triggered_by: triggeredBy })
      return { value: record, text: `Written down: ${spec}` }
    },
  )
}
