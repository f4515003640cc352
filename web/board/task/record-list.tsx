import { useState } from 'react'
import type { OperationInput } from '../../../src/api/operations.ts'
import type { BoardRecord } from '../../../src/domain/board/record.ts'
import { useRead } from '../../api.ts'
import { Badge } from '../../ui/status/badge.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { Moment } from '../../ui/text/figures.tsx'
import { EmptyState, ErrorNote, Loading } from '../../ui/status/notice.tsx'
import { TaskRef } from './task-ref.tsx'

type Kind = OperationInput<'board.list_records'>['kind']

const kinds: { value: Kind; label: string; empty: string }[] = [
  {
    value: 'anomaly',
    label: 'Anomalies',
    empty: 'Nothing went wrong so far. Retry loops, deadlocks, spec gaps and other trouble is written down here.',
  },
  { value: 'discovery', label: 'Discoveries', empty: 'No coder came across work outside its task.' },
  { value: 'human_note', label: 'Notes', empty: 'Nobody left a note. Notes reach the next prompt of the agents they are for.' },
  { value: 'handoff', label: 'Handoffs', empty: 'No agent had to hand its work over.' },
  { value: 'spec_change', label: 'Spec changes', empty: 'No spec was changed.' },
  { value: 'alignment', label: 'Planning', empty: 'Nothing was planned yet.' },
]

/** What was written down about the board: anomalies first, the rest by choice. */
export function RecordList({ boardId }: { boardId: string }) {
  const [kind, setKind] = useState<Kind>('anomaly')
  const found = useRead('board.list_records', { board: boardId, kind })
  const empty = kinds.find(({ value }) => value === kind)?.empty
  return (
    <div className="flex flex-col gap-3">
      <div className="w-56">
        <SelectField
          label="Show"
          value={kind}
          options={kinds}
          onText={(text) => setKind(kinds.find(({ value }) => value === text)?.value ?? 'anomaly')}
        />
      </div>
      {found.isPending && <Loading />}
      {found.isError && <ErrorNote error={found.error} />}
      {found.data?.records.length === 0 && <EmptyState title="Nothing here">{empty}</EmptyState>}
      <Records boardId={boardId} records={found.data?.records ?? []} />
    </div>
  )
}

/** Records, each in a line or two. */
export function Records({ boardId, records }: { boardId: string; records: readonly BoardRecord[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {records.map((record) => (
        <li key={record.id} className="flex flex-col gap-1 rounded-xl border border-line bg-surface px-4 py-2.5">
          <p className="flex flex-wrap items-center gap-2 text-xs text-soft">
            <Badge tone={record.kind === 'anomaly' ? 'warn' : 'neutral'}>{headingOf(record)}</Badge>
            {record.task !== null && <TaskRef boardId={boardId} task={record.task} />}
            <span>{authorOf(record)}</span>
            <Moment at={record.timestamp} className="ml-auto" />
          </p>
          <p className="text-sm whitespace-pre-wrap">{textOf(record)}</p>
        </li>
      ))}
    </ul>
  )
}

function headingOf(record: BoardRecord): string {
  if (record.kind === 'anomaly') return record.type.replaceAll('_', ' ')
  if (record.kind === 'discovery') return `${record.severity} discovery${record.urgency === 'immediate' ? ', immediate' : ''}`
  if (record.kind === 'alignment') return record.event.replaceAll('_', ' ')
  return record.kind.replaceAll('_', ' ')
}

function authorOf(record: BoardRecord): string {
  if (record.kind === 'anomaly') return record.reporter
  if (record.kind === 'handoff') return record.agent
  if (record.kind === 'spec_change') return record.by ?? record.triggered_by
  return 'by' in record ? record.by : ''
}

function textOf(record: BoardRecord): string {
  if (record.kind === 'anomaly') return detailsText(record.details)
  if (record.kind === 'discovery') return [record.description, record.recommendation, settled(record)].filter(Boolean).join('\n')
  if (record.kind === 'handoff') return `${record.summary}\nNext: ${record.next_action}`
  if (record.kind === 'human_note') return record.message
  if (record.kind === 'spec_change') return `${record.spec}: ${record.change}\nBecause of ${record.triggered_by}`
  return record.kind === 'alignment' ? record.summary : ''
}

function settled(record: Extract<BoardRecord, { kind: 'discovery' }>): string {
  if (record.converted_to_task !== null) return `Became ${record.converted_to_task}.`
  return record.dismissed === null ? '' : `Dismissed: ${record.dismissed}`
}

/** Details as lines that a person reads. */
export function detailsText(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}
