import { useState } from 'react'
import type { TaskCard } from '../views.ts'
import { usePerform } from '../../api.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { ErrorNote } from '../../ui/status/notice.tsx'
import { faultsOf } from './plan-draft.ts'

type Blocked = Pick<TaskCard, 'id' | 'blocked_reason' | 'blocked_questions' | 'failed_by'>

/** What a blocked task asks, and the place to answer it. After two failed coders it has to be reworded, too. */
export function AnswerForm({ boardId, task, roomy = false }: { boardId: string; task: Blocked; roomy?: boolean }) {
  const unblock = usePerform('board.unblock_task')
  const [answer, setAnswer] = useState('')
  const [done_when, setDoneWhen] = useState('')
  const faults = faultsOf(unblock.error)
  const mustRedefine = task.failed_by.length >= 2
  function send() {
    unblock.mutate({ board: boardId, task: task.id, answer, ...(done_when.trim() !== '' && { done_when }) })
  }
  return (
    <Form onSubmit={send} aria-label={`Answer ${task.id}`} className="flex flex-col gap-2 rounded-lg bg-danger-wash p-2.5 text-ink">
      {roomy && <p className="text-sm whitespace-pre-wrap">{task.blocked_reason}</p>}
      <ul className="flex flex-col gap-1 text-sm font-medium">
        {task.blocked_questions.map((question) => (
          <li key={question}>{question}</li>
        ))}
      </ul>
      <TextArea
        label="Your answer"
        hideLabel={!roomy}
        placeholder="Your answer; the next coder reads it"
        rows={3}
        required
        value={answer}
        onText={setAnswer}
      />
      {mustRedefine && (
        <TextArea
          label="Done when (said anew)"
          hint={`${task.failed_by.join(' and ')} failed at it, so it cannot go back with the same words.`}
          rows={2}
          fault={faults?.done_when}
          value={done_when}
          onText={setDoneWhen}
        />
      )}
      {unblock.isError && faults?.done_when === undefined && <ErrorNote error={unblock.error} />}
      <Button className="self-start" type="submit" small={!roomy} look="primary" disabled={unblock.isPending || answer.trim() === ''}>
        Answer and unblock
      </Button>
    </Form>
  )
}
