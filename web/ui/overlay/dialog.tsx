import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'

interface DialogProps {
  onClose: () => void
  title: string
  about?: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** As wide as the screen allows: for code. */
  wide?: boolean
}

/** A modal dialog, open for as long as it is drawn; Escape and the cross close it, the focus returns to where it was. What has `data-autofocus` gets the focus first. */
export function Dialog({ onClose, title, about, children, actions, wide = false }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open onOpenChange={(now) => !now && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/45" />
        <Base.Popup
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>('[data-autofocus]') ?? true}
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[88dvh] ${wide ? 'min-h-[60dvh] w-[min(80rem,calc(100vw-2rem))]' : 'w-[min(36rem,calc(100vw-2rem))]'} -translate-x-1/2 -translate-y-1/2 flex-col gap-3 overflow-y-auto rounded-xl border border-line bg-surface p-5 shadow-2xl`}
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="text-base font-semibold">{title}</Base.Title>
            <Base.Close aria-label="Close" className="rounded p-1 text-soft hover:bg-raised">
              <X size={16} aria-hidden />
            </Base.Close>
          </div>
          {about !== undefined && <Base.Description className="text-soft">{about}</Base.Description>}
          {children}
          {actions !== undefined && (
            <div className="sticky -bottom-5 -mb-5 flex flex-wrap justify-end gap-2 bg-surface pt-2 pb-5">{actions}</div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
