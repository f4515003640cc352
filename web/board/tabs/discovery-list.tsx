import { Telescope } from 'lucide-react'
import { useState } from 'react'
import type { RecordOf } from '../../../src/domain/board/record.ts'
import { usePerform, useRead } from '../../api.ts'
import { Button } from '../../ui/form/button.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { ErrorNote } from '../../ui/status/notice.tsx'
import { TaskRef } from '../task/task-ref.tsx'

/** Urgent work that agents came across. The goal is not reached before each of them is settled. */
export function DiscoveryList({ boardId }: { boardId: string }) {
  const found = useRead('board.list_records', { board: boardId, kind: 'discovery' })
  const waiting = (found.data?.records ?? []).flatMap((record) => (record.kind === 'discovery' && isOpen(record) ? [record] : []))
  if (waiting.length === 0) return null
  return (
    <ul aria-label="Urgent discoveries" className="flex flex-col gap-2">
      {waiting.map((record) => (
        <li key={record.id} className="flex flex-col gap-2 rounded-xl border border-warn/40 bg-warn-wash px-4 py-3 text-ink">
          <p className="flex flex-wrap items-baseline gap-2">
            <Telescope size={16} className="self-center text-warn" aria-hidden />
            <strong>{record.by} found something urgent.</strong>
            {record.task !== null && <TaskRef boardId={boardId} task={record.task} />}
          </p>
          <p className="text-sm whitespace-pre-wrap">{[record.description, record.recommendation].filter(Boolean).join('\n')}</p>
          <SettleForm boardId={boardId} record={record} />
        </li>
      ))}
    </ul>
  )
}

function isOpen({ urgency, converted_to_task, dismissed }: RecordOf<'discovery'>): boolean {
  return urgency === 'immediate' && converted_to_task === null && dismissed === null
}

const answers = [
  { value: 'reject', label: 'Dismiss it', ask: 'Why nothing is done about it' },
  { value: 'defer', label: 'Do it later', ask: 'Why it can wait' },
  { value: 'task', label: 'A task covers it', ask: 'The id of the task' },
] as const

function SettleForm({ boardId, record }: { boardId: string; record: RecordOf<'discovery'> }) {
  const settle = usePerform('board.settle_discovery')
  const [answer, setAnswer] = useState<(typeof answers)[number]['value']>('reject')
  const [said, setSaid] = useState('')
  const ask = answers.find(({ value }) => value === answer)?.ask ?? ''
  function send() {
    settle.mutate({ board: boardId, discovery: record.id, [answer]: said.trim() })
  }
  return (
    <Form onSubmit={send} aria-label={`Settle ${record.description}`} className="flex flex-wrap items-end gap-2">
      <div className="w-44">
        <SelectField
          label="What becomes of it"
          value={answer}
          options={answers}
          onText={(text) => setAnswer(answers.find(({ value }) => value === text)?.value ?? 'reject')}
        />
      </div>
      <div className="min-w-56 flex-1">
        <TextField label={ask} required value={said} onText={setSaid} />
      </div>
      <Button type="submit" look="primary" disabled={settle.isPending || said.trim() === ''}>
        Settle
      </Button>
      {settle.isError && <ErrorNote error={settle.error} />}
    </Form>
  )
}
