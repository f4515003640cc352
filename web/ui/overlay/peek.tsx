import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

interface PeekProps {
  title: ReactNode
  /** Beside the title, such as the way to the whole page. */
  actions?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A panel at the right edge over a screen that stays in sight and in use; over all of a phone. Escape and the cross close it. */
export function Peek({ title, actions, onClose, children }: PeekProps) {
  return (
    <Base.Root open modal={false} disablePointerDismissal onOpenChange={(now) => !now && onClose()}>
      <Base.Portal>
        <Base.Popup
          data-beside
          className="fixed inset-y-0 right-0 z-30 flex w-full animate-slide-in flex-col border-l border-line bg-surface shadow-2xl sm:w-[min(40rem,60vw)]"
        >
          <header className="flex min-h-header shrink-0 items-center gap-3 border-b border-line px-4">
            <Base.Title className="min-w-0 flex-1 truncate font-semibold">{title}</Base.Title>
            {actions}
            <Base.Close aria-label="Close" className="rounded-md p-1.5 text-soft hover:bg-raised hover:text-ink">
              <X size={16} aria-hidden />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
