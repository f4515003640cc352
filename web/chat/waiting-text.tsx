import { CircleAlert, Clock } from 'lucide-react'
import type { ChatView } from './chat-view.ts'
import type { ChatMessage } from '../../src/domain/chat.ts'
import { usePerform } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { FileNames, SaidText } from './said-text.tsx'
import { putIntoComposer, type Unsent, type useUnsent } from './unsent.ts'

type Said = Extract<ChatMessage, { type: 'text' }>

/** Whether no model has read a message yet. */
export function isQueued(message: ChatMessage): message is Said {
  return message.type === 'text' && message.queued === true
}

/** What a person said while the agent was at work: it is at the end until a model reads it. */
export function QueuedText({ chat, message }: { chat: ChatView; message: Said }) {
  const withdraw = usePerform('chat.withdraw_message')
  const waits = chat.running ? 'Queued for the next turn' : 'Not read yet: sent with your next message, or when you continue'
  return (
    <article className="ml-auto flex w-fit max-w-[85%] flex-col items-end gap-1">
      <p className="rounded-xl rounded-br-sm border border-dashed border-accent/50 px-4 py-2.5 whitespace-pre-wrap">
        <span className="sr-only">You said:</span>
        <SaidText message={message} />
      </p>
      <p className="flex items-center gap-2 text-xs text-soft">
        <Clock size={12} aria-hidden />
        {waits}
        <Button small look="ghost" disabled={withdraw.isPending} onClick={() => withdraw.mutate({ chat: chat.id, message: message.id })}>
          Take back
        </Button>
      </p>
    </article>
  )
}

interface UnsentProps extends Omit<ReturnType<typeof useUnsent>, 'unsent'> {
  chatId: string
  message: Unsent
}

/** What a person said and the server has not confirmed: it looks said at once, and what did not get through can be sent again. */
export function UnsentText({ chatId, message, retry, discard }: UnsentProps) {
  const failed = message.state === 'failed'
  const edit = () => {
    discard(message)
    putIntoComposer(chatId, message.text)
  }
  return (
    <article className="ml-auto flex w-fit max-w-[85%] flex-col items-end gap-1">
      <p className={`rounded-xl rounded-br-sm bg-accent-wash px-4 py-2.5 whitespace-pre-wrap ${failed ? 'border border-danger/60' : ''}`}>
        <span className="sr-only">You said:</span>
        {message.text}
        {(message.attached ?? []).length > 0 && <FileNames names={message.attached ?? []} />}
      </p>
      {failed && (
        <p role="alert" className="flex flex-wrap items-center justify-end gap-x-2 text-xs text-danger">
          <CircleAlert size={12} aria-hidden />
          <span className="min-w-0">{message.reason === '' ? 'Not sent' : `Not sent: ${message.reason}`}</span>
          <Button small onClick={() => retry(message)}>
            Retry
          </Button>
          <Button small look="ghost" onClick={edit}>
            Edit
          </Button>
          <Button small look="ghost" onClick={() => discard(message)}>
            Discard
          </Button>
        </p>
      )}
    </article>
  )
}
