import { NotebookPen } from 'lucide-react'
import { useState } from 'react'
import type { BoardView } from '../views.ts'
import { splitList } from '../../../src/domain/text/typed.ts'
import { usePerform } from '../../api.ts'
import { Bullets } from '../../ui/text/bullets.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Moment } from '../../ui/text/figures.tsx'

type Record = NonNullable<BoardView['sprint']['retrospective']>['records'][number]

/** What was decided at checkpoints, what people made of the sprint, and the place to add to it. */
export function Retrospective({ board }: { board: BoardView }) {
  const [writing, setWriting] = useState(false)
  const { decisions = [], records = [] } = board.sprint.retrospective ?? {}
  return (
    <Card
      title="Retrospective"
      aside={
        <Button small icon={NotebookPen} onClick={() => setWriting(true)}>
          Add to it
        </Button>
      }
    >
      {decisions.length + records.length === 0 && (
        <p className="text-sm text-soft">Nothing yet. Decisions at checkpoints join it by themselves.</p>
      )}
      <ul className="flex flex-col gap-3 text-sm">
        {decisions.map(({ timestamp, by, decision }) => (
          <li key={timestamp}>
            <Byline at={timestamp} by={by} what="decided at a checkpoint" />
            <p className="whitespace-pre-wrap">{decision}</p>
          </li>
        ))}
        {records.map((record) => (
          <Entry key={record.timestamp} record={record} />
        ))}
      </ul>
      {writing && <RetrospectiveForm boardId={board.id} onClose={() => setWriting(false)} />}
    </Card>
  )
}

function Entry({ record }: { record: Record }) {
  const { timestamp, by, notes, spec_gaps, actions, metrics } = record
  const stood = `${metrics['tasks_done'] ?? 0} done, ${metrics['iterations_total'] ?? 0} iterations, ${metrics['review_verdict_rejections'] ?? 0} rejections`
  return (
    <li>
      <Byline at={timestamp} by={by} what={`at ${stood}`} />
      <p className="whitespace-pre-wrap">{notes}</p>
      <Points heading="The specs should say" points={spec_gaps} />
      <Points heading="To do" points={actions} />
    </li>
  )
}

function Byline({ at, by, what }: { at: string; by: string; what: string }) {
  return (
    <p className="text-xs text-soft">
      <Moment at={at} /> · {by} · {what}
    </p>
  )
}

function Points({ heading, points }: { heading: string; points: readonly string[] }) {
  if (points.length === 0) return null
  return (
    <>
      <p className="mt-1 text-xs font-semibold text-soft">{heading}</p>
      <Bullets lines={points} />
    </>
  )
}

function RetrospectiveForm({ boardId, onClose }: { boardId: string; onClose: () => void }) {
  const add = usePerform('board.add_retrospective')
  const [notes, setNotes] = useState('')
  const [gaps, setGaps] = useState('')
  const [todo, setTodo] = useState('')
  const said = { notes, spec_gaps: splitList(gaps), actions: splitList(todo) }
  return (
    <FormDialog
      title="What do you make of this sprint?"
      about="It is kept with the figures of this moment."
      act="Keep it"
      change={add}
      disabled={notes.trim() === ''}
      onSubmit={() => add.mutate({ board: boardId, ...said }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextArea label="What went well, what did not, and why" rows={4} value={notes} onText={setNotes} />
      <TextArea label="What the specs should say, one a line" rows={2} value={gaps} onText={setGaps} />
      <TextArea label="What is to be done about it, one a line" rows={2} value={todo} onText={setTodo} />
    </FormDialog>
  )
}
