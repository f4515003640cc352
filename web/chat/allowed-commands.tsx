import { X } from 'lucide-react'
import type { ChatView } from './chat-view.ts'
import { usePerform, useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'

const where = { chat: 'this chat', project: 'this project', always: 'everywhere' } as const

/** The commands that a chat is not asked about, each with the way back. */
export function AllowedCommands({ chat }: { chat: ChatView }) {
  const revoke = usePerform('command.revoke')
  const all = useRead('command.list', {}).data?.commands ?? []
  const here = all.filter(({ scope, place }) => scope === 'always' || place === chat.id || chat.workspace.startsWith(place))
  if (here.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-xs font-semibold text-soft">Commands allowed from now on</legend>
      {here.map(({ id, pattern, scope }) => (
        <div key={id} className="flex items-center gap-2 text-sm">
          <code className="min-w-0 flex-1 truncate">{pattern}</code>
          <span className="text-soft">{where[scope]}</span>
          <Button small look="ghost" icon={X} aria-label={`Ask about ${pattern} again`} onClick={() => revoke.mutate({ id })} />
        </div>
      ))}
      {revoke.isError && <ErrorNote error={revoke.error} />}
    </fieldset>
  )
}
