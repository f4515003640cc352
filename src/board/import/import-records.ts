import * as z from 'zod'
import { anomalyTypes, DiscoverySeverity } from '../../domain/board/record.ts'
import { entriesIn, asFields, textField, type Loose } from '../../domain/board/rule.ts'
import { fitting } from '../../domain/text/schema-error.ts'
import { newId } from '../../domain/id.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords } from '../../store/tables.ts'

/** Takes over what was written down beside the tasks: anomalies, discoveries, handoffs, notes, spec changes and the story of the goal. */
export async function importRecords(tx: Driver, boardId: string, fields: Loose): Promise<void> {
  const now = (await tx.now()).toISOString()
  const made = [
    ...entriesIn(fields['anomalies']).map((entry) => ({
      kind: 'anomaly' as const,
      task: textField(entry, 'task') || null,
      timestamp: textField(entry, 'timestamp') || now,
      reporter: textField(entry, 'reporter') || 'import',
      type: anomalyTypes.find((type) => type === entry['type']) ?? ('system_ambiguity' as const),
      details: asFields(entry['details']) ?? {},
    })),
    ...entriesIn(fields['discovered']).map((entry) => discoveryFrom(entry, now)),
    ...entriesIn(fields['human_notes']).map((entry) => ({
      kind: 'human_note' as const,
      task: textField(entry, 'for') || null,
      timestamp: textField(entry, 'timestamp') || now,
      by: textField(entry, 'by') || 'human',
      message: textField(entry, 'message') || 'imported',
    })),
    ...Object.entries(asFields(fields['handoff']) ?? {}).flatMap(([task, value]) => {
      const entry = asFields(value)
      return entry === null ? [] : [handoffFrom(task, entry, now)]
    }),
    ...entriesIn(fields['spec_changes']).map((entry) => ({
      kind: 'spec_change' as const,
      task: null,
      timestamp: textField(entry, 'timestamp') || now,
      spec: textField(entry, 'spec') || 'imported',
      change: textField(entry, 'change') || 'imported',
      triggered_by: textField(entry, 'triggered_by') || 'import',
      by: textField(entry, 'by') || null,
    })),
    ...entriesIn(asFields(fields['goal'])?.['alignment_history']).map((entry) => ({
      kind: 'alignment' as const,
      task: null,
      timestamp: textField(entry, 'timestamp') || now,
      event: textField(entry, 'event') || 'imported',
      summary: textField(entry, 'summary') || 'imported',
    })),
  ]
  for (const { timestamp, ...record } of made) {
    const at = fitting(
      z.iso.datetime(),
      timestamp,
      `the time ${timestamp} of one entry (${record.kind.replace('_', ' ')}) of the document does not fit`,
    )
    await boardRecords.add(tx, { ...record, timestamp: at, id: newId(record.kind, new Date(at)), board_id: boardId })
  }
}

function discoveryFrom(entry: Loose, now: string) {
  return {
    kind: 'discovery' as const,
    task: textField(entry, 'during') || null,
    timestamp: textField(entry, 'created') || now,
    by: textField(entry, 'by') || 'import',
    description: textField(entry, 'description') || 'imported',
    severity: DiscoverySeverity.catch('medium').parse(entry['severity']),
    urgency: entry['urgency'] === 'immediate' ? ('immediate' as const) : ('deferred' as const),
    recommendation: textField(entry, 'recommendation'),
    converted_to_task: textField(entry, 'converted_to_task') || null,
    dismissed: null,
  }
}

/** Filed under its task; only the word itself and the next step are certain to be there. */
function handoffFrom(task: string, entry: Loose, now: string) {
  return {
    kind: 'handoff' as const,
    task,
    timestamp: textField(entry, 'timestamp') || now,
    agent: textField(entry, 'agent') || 'import',
    summary: textField(entry, 'summary') || 'imported',
    next_action: textField(entry, 'next_action') || 'imported',
    context_used: null,
    approach: textField(entry, 'approach'),
    blockers: textsOf(entry, 'blockers'),
    files_modified: textsOf(entry, 'files_modified'),
    next_steps: textsOf(entry, 'next_steps'),
  }
}

/** A list of texts; one text alone counts as a list of one. */
function textsOf(entry: Loose, field: string): string[] {
  const value = entry[field]
  const listed = Array.isArray(value) ? value : [value]
  return listed.filter((item) => typeof item === 'string' && item !== '')
}
