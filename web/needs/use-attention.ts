import { useEffect, useRef } from 'react'
import type { Need } from '../../src/domain/need.ts'
import { showTextDirection } from '../../src/domain/text/hidden-character.ts'
import { useTitleCount } from '../title.ts'

/** Calls a person: the count in the title bar, and a notification for what is new while they look elsewhere. */
export function useAttention(needs: readonly Need[] | undefined, go: (link: string) => void): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useTitleCount(needs?.length ?? 0)
  useEffect(() => {
    if (needs === undefined) return
    const before = known.current
    known.current = new Set(needs.map(({ id }) => id))
    // What waited already when the page was opened is on the page; only what comes later calls.
    if (before === null || !mayNotify()) return
    for (const need of needs) if (!before.has(need.id)) notify(need, go)
  }, [needs, go])
}

function mayNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted' && !document.hasFocus()
}

function notify({ id, title, detail, link }: Need, go: (link: string) => void): void {
  const shown = new Notification(showTextDirection(`Needs you: ${title}`), { body: showTextDirection(detail), tag: id })
  shown.addEventListener('click', () => {
    window.focus()
    go(link)
    shown.close()
  })
}
