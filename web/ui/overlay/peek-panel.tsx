import { Maximize2, X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useKeys } from '../use-keys.ts'

interface PeekPanelProps {
  /** What is looked at. */
  title: string
  /** Its page, where there is more room. */
  href?: string
  onClose: () => void
  /** Beside the title: a state, a small action. */
  aside?: ReactNode
  children: ReactNode
}

/**
 * A look at one thing beside the list it is from, which stays in sight and in use: 440 px on the right, the whole width on a phone.
 * Not a dialog: nothing else is blocked. Escape closes it.
 */
export function PeekPanel({ title, href, onClose, aside, children }: PeekPanelProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus({ preventScroll: true }), [title])
  useKeys((event) => {
    // A dialog or a menu above it is closed first.
    if (event.key === 'Escape' && document.querySelector('[role=dialog], [role=menu]') === null) onClose()
  })
  return (
    <aside
      ref={panel}
      aria-label={title}
      tabIndex={-1}
      className="flex h-full min-h-0 w-full shrink-0 animate-slide-in flex-col border-l border-line bg-surface outline-none max-lg:fixed max-lg:inset-0 max-lg:z-30 max-lg:border-l-0 lg:w-inspector"
    >
      <header className="flex h-header shrink-0 items-center gap-2 border-b border-line px-4">
        <div className="flex min-w-0 flex-1 items-center gap-2">{aside}</div>
        {href !== undefined && (
          <Link href={href} aria-label="Open as a page" title="Open as a page" className="rounded-md p-1.5 text-soft hover:bg-raised">
            <Maximize2 size={14} aria-hidden />
          </Link>
        )}
        <button type="button" aria-label="Close" onClick={onClose} className="rounded-md p-1.5 text-soft hover:bg-raised">
          <X size={16} aria-hidden />
        </button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
    </aside>
  )
}
