import { ChevronRight, CircleHelp, OctagonAlert, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { ChatView } from './chat-view.ts'
import type { Question } from '../../src/domain/question.ts'
import { usePerform } from '../api.ts'
import { Badge } from '../ui/status/badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { ExactCall } from '../ui/text/exact-call.tsx'
import { TextField } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'

const looks = {
  critical: { frame: 'border-2 border-danger bg-danger-wash', ink: 'text-danger', icon: OctagonAlert, label: 'Critical question' },
  major: { frame: 'border-2 border-warn/60 bg-warn-wash', ink: 'text-warn', icon: TriangleAlert, label: 'Major question' },
  minor: { frame: 'border border-line bg-surface', ink: 'text-soft', icon: CircleHelp, label: 'Question' },
} as const

/** A question that waits for a person, or what was answered. Nothing is preselected when it is critical. */
export function QuestionCard({ chat, questionId }: { chat: ChatView; questionId: string }) {
  const question = chat.questions.find(({ id }) => id === questionId)
  if (!question) return null
  const { content, approval, status } = question
  const look = looks[content.severity]
  const Icon = look.icon
  return (
    <section
      aria-label={look.label}
      data-question={questionId}
      tabIndex={-1}
      className={`flex flex-col gap-3 rounded-xl p-4 ${status === 'pending' ? look.frame : looks.minor.frame}`}
    >
      <header className={`flex items-center gap-2 text-xs font-semibold ${look.ink}`}>
        <Icon size={16} aria-hidden />
        {approval === null ? look.label : `Approval: ${approval.tool}`}
        {status !== 'pending' && <Badge>{status.replace('_', ' ')}</Badge>}
      </header>
      <p className="text-base leading-snug font-semibold whitespace-pre-wrap text-ink">{content.question}</p>
      {approval === null && content.context !== '' && <p className="text-sm whitespace-pre-wrap text-soft">{content.context}</p>}
      {approval !== null && <ExactCall context={content.context} />}
      {status === 'pending' && <Options chatId={chat.id} question={question} />}
      {question.answer !== null && (
        <p className="text-sm">
          <span className="text-soft">Answered by {question.answer.by}:</span> <strong>{question.answer.label}</strong>{' '}
          {question.answer.text}
        </p>
      )}
    </section>
  )
}

function Options({ chatId, question }: { chatId: string; question: Question }) {
  const answer = usePerform('chat.answer_question')
  const [text, setText] = useState('')
  const { content } = question
  const asked = { chat: chatId, question: question.id }
  const suggested = content.severity === 'critical' ? null : content.default
  const silent = text.trim() === ''
  return (
    <Form onSubmit={() => !silent && answer.mutate({ ...asked, text })} className="flex flex-col gap-2">
      {content.options.map((option) => (
        <button
          key={option.value}
          type="button"
          data-option
          disabled={answer.isPending}
          onClick={() => answer.mutate({ ...asked, value: option.value, ...(!silent && { text }) })}
          className={`group flex items-center gap-3 rounded-lg border bg-surface px-3 py-2 text-left shadow-sm transition-colors hover:border-accent disabled:opacity-50 ${option.value === suggested ? 'border-accent' : 'border-line'}`}
        >
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="flex items-center gap-2 font-semibold">
              <span className="min-w-0">{option.label}</span>
              {option.value === suggested && <Badge tone="accent">suggested</Badge>}
            </span>
            {option.description !== '' && <span className="text-sm text-soft">{option.description}</span>}
          </span>
          <ChevronRight size={16} className="shrink-0 text-soft group-hover:text-accent" aria-hidden />
        </button>
      ))}
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <TextField label="Or in your own words" value={text} onText={setText} />
        </div>
        <Button type="submit" disabled={silent || answer.isPending}>
          Answer
        </Button>
      </div>
      {answer.isError && <ErrorNote error={answer.error} />}
    </Form>
  )
}
