import { KeyRound, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { WorkflowRunView } from './types.ts'
import type { Question } from '../../src/domain/question.ts'
import { usePerform } from '../api.ts'
import { Badge } from '../ui/status/badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { ExactCall } from '../ui/text/exact-call.tsx'
import { TextArea } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'

/** What the run waits for. */
export function RunQuestion({ run, question }: { run: WorkflowRunView; question: Question }) {
  const { content, approval } = question
  const label = approval === null ? 'Waits for you' : `Approval: ${approval.tool}`
  return (
    <section aria-label={label} className="flex flex-col gap-3 rounded-xl border-2 border-warn/60 bg-warn-wash p-4">
      <header className="flex items-center gap-2 text-xs font-semibold text-warn">
        <TriangleAlert size={16} aria-hidden /> {label} <Badge>{content.severity}</Badge>
      </header>
      <p className="font-medium whitespace-pre-wrap">{content.question}</p>
      {approval !== null && <ExactCall context={content.context} />}
      {approval === null && content.context !== '' && <LongText label="Context" text={content.context} />}
      <AnswerForm runId={run.id} question={question} />
    </section>
  )
}

/** The words go with whichever button is pressed, or stand alone. */
function AnswerForm({ runId, question: { id, content } }: { runId: string; question: Question }) {
  const answer = usePerform('workflow.answer')
  const [text, setText] = useState('')
  const asked = { run: runId, question_id: id }
  const silent = text.trim() === ''
  const choice = content.options.length > 1
  return (
    <Form onSubmit={() => !silent && answer.mutate({ ...asked, text })} className="flex flex-col gap-3">
      <TextArea label="In your own words" rows={2} value={text} onText={setText} />
      <div className="flex flex-wrap gap-2">
        {content.options.map(({ value, label, description }, at) => (
          <Button
            key={value}
            data-option
            look={at === 0 && choice ? 'primary' : 'plain'}
            title={description}
            disabled={answer.isPending}
            onClick={() => answer.mutate({ ...asked, value, ...(!silent && { text }) })}
          >
            {label}
          </Button>
        ))}
        <Button type="submit" look={choice ? 'plain' : 'primary'} disabled={silent || answer.isPending}>
          Reply
        </Button>
      </div>
      {answer.isError && <ErrorNote error={answer.error} />}
    </Form>
  )
}

/** An outside agent cannot be shown the code: a person passes it on, for this output and once. */
export function CodeCard({ confirmation }: { confirmation: NonNullable<WorkflowRunView['confirmation']> }) {
  return (
    <section aria-label="Confirmation code" className="flex flex-col gap-2 rounded-xl border-2 border-warn/60 bg-warn-wash p-4">
      <p className="flex items-center gap-2 font-medium">
        <KeyRound size={16} aria-hidden /> The agent says “{confirmation.title}” is done
      </p>
      <LongText label="What came of it" text={confirmation.output} />
      <p>
        If you agree, give it this code: <strong className="font-mono text-xl tracking-widest">{confirmation.code}</strong>
      </p>
    </section>
  )
}

/** Text that scrolls, also by keys. */
function LongText({ label, text }: { label: string; text: string }) {
  return (
    <div
      className="max-h-80 overflow-y-auto rounded-lg border border-line bg-surface px-3 py-2"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Markdown text={text} />
    </div>
  )
}
