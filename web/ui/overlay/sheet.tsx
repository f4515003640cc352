import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

/** A panel from the left edge of a phone, over everything else; a touch beside it or Escape closes it. */
export function Sheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Base.Root open onOpenChange={(now) => !now && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 animate-appear bg-black/45" />
        <Base.Popup className="fixed inset-y-0 left-0 z-50 flex w-sidebar flex-col gap-0.5 overflow-y-auto border-r border-line bg-raised px-2 shadow-2xl">
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
