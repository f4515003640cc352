import * as z from 'zod'
import { anomalyTypes } from '../domain/board-anomaly.ts'
import { entriesIn, fieldsOf, textOf, type Loose } from '../domain/board-rule.ts'
import { DiscoverySeverity } from '../domain/board-record.ts'
import { fitting } from '../domain/fitting.ts'
import { newId } from '../domain/id.ts'
import type { Driver } from '../store/driver.ts'
import { boardRecords } from '../store/tables.ts'

/** Takes over what was written down beside the tasks: anomalies, discoveries, handoffs, notes, spec changes and the story of the goal. */
export async function importRecords(tx: Driver, boardId: string, fields: Loose): Promise<void> {
  const now = (await tx.now()).toISOString()
  const made = [
    ...entriesIn(fields['anomalies']).map((entry) => ({
      kind: 'anomaly' as const,
      task: textOf(entry, 'task') || null,
      timestamp: textOf(entry, 'timestamp') || now,
      reporter: textOf(entry, 'reporter') || 'import',
      type: anomalyTypes.find((type) => type === entry['type']) ?? ('system_ambiguity' as const),
      details: fieldsOf(entry['details']) ?? {},
    })),
    ...entriesIn(fields['discovered']).map((entry) => discoveryFrom(entry, now)),
    ...entriesIn(fields['human_notes']).map((entry) => ({
      kind: 'human_note' as const,
      task: textOf(entry, 'for') || null,
      timestamp: textOf(entry, 'timestamp') || now,
      by: textOf(entry, 'by') || 'human',
      message: textOf(entry, 'message') || 'imported',
    })),
    ...Object.entries(fieldsOf(fields['handoff']) ?? {}).flatMap(([task, value]) => {
      const entry = fieldsOf(value)
      return entry === null ? [] : [handoffFrom(task, entry, now)]
    }),
    ...entriesIn(fields['spec_changes']).map((entry) => ({
      kind: 'spec_change' as const,
      task: null,
      timestamp: textOf(entry, 'timestamp') || now,
      spec: textOf(entry, 'spec') || 'imported',
      change: textOf(entry, 'change') || 'imported',
      triggered_by: textOf(entry, 'triggered_by') || 'import',
      by: textOf(entry, 'by') || null,
    })),
    ...entriesIn(fieldsOf(fields['goal'])?.['alignment_history']).map((entry) => ({
      kind: 'alignment' as const,
      task: null,
      timestamp: textOf(entry, 'timestamp') || now,
      event: textOf(entry, 'event') || 'imported',
      summary: textOf(entry, 'summary') || 'imported',
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
    task: textOf(entry, 'during') || null,
    timestamp: textOf(entry, 'created') || now,
    by: textOf(entry, 'by') || 'import',
    description: textOf(entry, 'description') || 'imported',
    severity: DiscoverySeverity.catch('medium').parse(entry['severity']),
    urgency: entry['urgency'] === 'immediate' ? ('immediate' as const) : ('deferred' as const),
    recommendation: textOf(entry, 'recommendation'),
    converted_to_task: textOf(entry, 'converted_to_task') || null,
    dismissed: null,
  }
}

/** Filed under its task; only the word itself and the next step are certain to be there. */
function handoffFrom(task: string, entry: Loose, now: string) {
  return {
    kind: 'handoff' as const,
    task,
    timestamp: textOf(entry, 'timestamp') || now,
    agent: textOf(entry, 'agent') || 'import',
    summary: textOf(entry, 'summary') || 'imported',
    next_action: textOf(entry, 'next_action') || 'imported',
    context_used: null,
    approach: textOf(entry, 'approach'),
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
