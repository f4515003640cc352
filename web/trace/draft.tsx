import { LoaderCircle } from 'lucide-react'
import type { ChatMessage } from '../../src/domain/chat.ts'
import { useDraft, useHeldUp, useThoughts } from '../live.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import { readableDraft } from './prose.ts'
import { Thoughts } from './thoughts.tsx'

interface DraftProps {
  runId: string | undefined
  role: string
  /** What is stored already. */
  messages: readonly ChatMessage[]
}

/** The reply that is being written; once it is stored the message takes its place. */
export function Draft({ runId, role, messages }: DraftProps) {
  const said = useDraft(runId)
  const heldUp = useHeldUp(runId)
  const thought = useThoughts(runId)
  const thinks = thought !== '' && !messages.some((message) => message.type === 'thoughts' && message.text.endsWith(thought))
  const stored = messages.some((message) => 'text' in message && message.text === said)
  const { prose, card } = readableDraft(stored ? '' : said)
  return (
    <article aria-busy className="flex flex-col gap-1.5">
      <header className="flex items-center gap-2 text-xs text-soft">
        <RoleBadge id={role} />
        <LoaderCircle size={12} className="animate-spin" aria-hidden />
        <span className="min-w-0">{heldUp || (prose === '' && !card ? (thinks ? 'thinking…' : 'at work…') : 'writing…')}</span>
      </header>
      {thinks && <Thoughts text={thought} />}
      {prose !== '' && <Markdown text={prose} />}
      {card && <p className="rounded-xl border border-dashed border-line px-4 py-6 text-center text-soft">Preparing the card…</p>}
    </article>
  )
}
