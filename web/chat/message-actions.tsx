import { Copy, GitFork, Pencil } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ChatView } from './chat-view.ts'
import { usePerform } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { TextArea } from '../ui/form/field.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'

interface Said {
  chat: ChatView
  message: { id: string; number: number; text: string }
}

/** What can be done with something that was said. They show when the message is pointed at or reached by keyboard, and always where nothing points. */
export function MessageActions({ chat, message, mine }: Said & { mine: boolean }) {
  const [, go] = useLocation()
  const fork = usePerform('chat.fork')
  const [editing, setEditing] = useState(false)
  const open = ({ id }: { id: string }) => go(`/chat/${id}`)
  return (
    <div className="flex items-center gap-1 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
      <Button small look="ghost" icon={Copy} aria-label="Copy" onClick={() => void navigator.clipboard?.writeText(message.text)} />
      {mine && <Button small look="ghost" icon={Pencil} aria-label="Edit this message" onClick={() => setEditing(true)} />}
      <Button
        small
        look="ghost"
        icon={GitFork}
        aria-label="Fork from here"
        disabled={fork.isPending}
        onClick={() => fork.mutate({ chat: chat.id, number: message.number }, { onSuccess: open })}
      />
      {fork.isError && <span className="text-xs text-danger">{fork.error.message}</span>}
      {editing && <EditMessage chat={chat} message={message} onClose={() => setEditing(false)} onSent={open} />}
    </div>
  )
}

function EditMessage({ chat, message, onClose, onSent }: Said & { onClose: () => void; onSent: (chat: { id: string }) => void }) {
  const resend = usePerform('chat.resend_message')
  const [text, setText] = useState(message.text)
  return (
    <FormDialog
      title="Edit and send again"
      about="Opens a new chat that goes on from what was said before this. Files stay as they are."
      act="Send"
      change={resend}
      disabled={text.trim() === ''}
      onClose={onClose}
      onSubmit={() => resend.mutate({ chat: chat.id, message: message.id, text }, { onSuccess: onSent })}
    >
      <TextArea label="Message" rows={6} value={text} onText={setText} />
    </FormDialog>
  )
}
