import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useState, type RefObject } from 'react'
import type { ChatView } from './chat-view.ts'
import { Button } from '../ui/form/button.tsx'

/** A card of which less than this shows at an edge counts as out of sight. */
const EDGE_PX = 48

/** Leads to a question that waits and is out of sight; the gravest one first. */
export function JumpToQuestion({ scroller, chat }: { scroller: RefObject<HTMLDivElement | null>; chat: ChatView }) {
  const pending = chat.questions.filter(({ status }) => status === 'pending')
  const hidden = useHidden(
    scroller,
    pending.map(({ id }) => id),
    chat.messages,
  )
  const away = pending.filter(({ id }) => hidden.has(id))
  const [target = null] = [...away.filter(({ content }) => content.severity === 'critical'), ...away]
  if (target === null) return null
  const jump = () => {
    const card = scroller.current && cardOf(scroller.current, target.id)
    if (!card || !scroller.current) return
    card.scrollIntoView({ block: card.clientHeight > scroller.current.clientHeight ? 'start' : 'center' })
    card.focus({ preventScroll: true })
  }
  return (
    <Button
      look={target.content.severity === 'critical' ? 'danger' : 'plain'}
      icon={hidden.get(target.id) === 'above' ? ArrowUp : ArrowDown}
      className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-md"
      onClick={jump}
    >
      Jump to question
    </Button>
  )
}

/** On which side each card lies that is out of sight. `drawn` is what may have brought or taken a card. */
function useHidden(
  scroller: RefObject<HTMLDivElement | null>,
  ids: readonly string[],
  drawn: unknown,
): ReadonlyMap<string, 'above' | 'below'> {
  const [hidden, setHidden] = useState<ReadonlyMap<string, 'above' | 'below'>>(new Map())
  const named = ids.join(' ')
  useEffect(() => {
    const box = scroller.current
    if (!box || named === '') return setHidden(new Map())
    const watching = new IntersectionObserver(
      (seen) =>
        setHidden((before) => {
          const now = new Map(before)
          for (const { target, isIntersecting, boundingClientRect, rootBounds } of seen) {
            const id = target.getAttribute('data-question') ?? ''
            if (isIntersecting) now.delete(id)
            else now.set(id, boundingClientRect.top < (rootBounds?.top ?? 0) ? 'above' : 'below')
          }
          return now
        }),
      { root: box, rootMargin: `-${EDGE_PX}px 0px` },
    )
    for (const id of named.split(' ')) {
      const card = cardOf(box, id)
      if (card) watching.observe(card)
    }
    return () => watching.disconnect()
  }, [scroller, named, drawn])
  return hidden
}

function cardOf(box: HTMLElement, id: string): HTMLElement | null {
  return box.querySelector(`[data-question="${CSS.escape(id)}"]`)
}
