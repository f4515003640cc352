import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Tooltip } from './tooltip.tsx'

interface MenuProps {
  trigger: ReactElement
  items: readonly { key: string; label: ReactNode; chosen: boolean; onSelect: () => void }[]
  label: string
  /** What the button stands for, on hover and focus. */
  about: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** A button that opens a list of choices; arrow keys and typing move through it. */
export function Menu({ trigger, items, label, about, open, onOpenChange }: MenuProps) {
  return (
    <Base.Root open={open} onOpenChange={(now) => onOpenChange(now)}>
      <Tooltip text={about}>
        <Base.Trigger render={trigger} aria-label={label} />
      </Tooltip>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="start" className="z-50">
          <Base.Popup className="max-h-[70dvh] min-w-52 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-xl outline-none">
            {items.map((item) => (
              <Base.Item
                key={item.key}
                onClick={item.onSelect}
                className={`flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none data-highlighted:bg-raised ${item.chosen ? 'font-semibold' : ''}`}
              >
                {item.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
