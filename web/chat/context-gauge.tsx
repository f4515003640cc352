import { useState } from 'react'
import type { ChatView } from './chat-view.ts'
import { useActionsHere } from '../ui/actions-here.ts'
import { usePerform } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { TextField } from '../ui/form/field.tsx'
import { ProgressBar } from '../ui/text/figures.tsx'
import { Form } from '../ui/form/form.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'

/** How full the model's context is, and a way to make room. */
export function ContextGauge({ chat }: { chat: ChatView }) {
  const [open, setOpen] = useState(false)
  const known = chat.run !== null && chat.run.context_tokens > 0
  useActionsHere(known ? [{ label: 'Compact the context', run: () => setOpen(true) }] : [])
  if (chat.run === null || !known) return null
  const { context_tokens, context_window } = chat.run
  const share = context_window === null ? null : Math.round((100 * context_tokens) / context_window)
  const text = share === null ? `${context_tokens.toLocaleString('en')} tokens` : `${share} %`
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={`cursor-pointer underline decoration-dotted ${share !== null && share >= 70 ? 'text-warn' : ''}`}
      >
        Context {text}
      </button>
      {open && (
        <Dialog
          onClose={() => setOpen(false)}
          title="Context of the model"
          about="Near its limit a chat is summed up by itself. Every word stays in the chat."
        >
          {context_window !== null && (
            <ProgressBar
              done={context_tokens}
              of={context_window}
              label={`${context_tokens.toLocaleString('en')} of ${context_window.toLocaleString('en')} tokens`}
            />
          )}
          {chat.run.instructions.length > 0 && (
            <p className="text-sm text-soft">
              Instructions it was given: <span className="break-words text-ink">{chat.run.instructions.join(', ')}</span>
            </p>
          )}
          <SumUp chat={chat} onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

function SumUp({ chat, onDone }: { chat: ChatView; onDone: () => void }) {
  const compact = usePerform('chat.compact')
  const [focus, setFocus] = useState('')
  return (
    <Form onSubmit={() => compact.mutate({ chat: chat.id, focus }, { onSuccess: onDone })} className="flex flex-col gap-4">
      <TextField label="Keep above all" placeholder="optional" value={focus} onText={setFocus} />
      {compact.isError && <ErrorNote error={compact.error} />}
      <Button type="submit" look="primary" disabled={compact.isPending || chat.running}>
        Sum up now
      </Button>
    </Form>
  )
}
