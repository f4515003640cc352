import type { ReactNode } from 'react'

interface HeaderProps {
  title: ReactNode
  /** Left of the title, such as the way back. */
  before?: ReactNode
  /** Beside the title: a state, figures. */
  beside?: ReactNode
  actions?: ReactNode
}

/** The one 48 px line at the head of a screen: what this is, what state it is in, what can be done. */
export function Header({ title, before, beside, actions }: HeaderProps) {
  return (
    <header className="flex min-h-header shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
      {before}
      <h1 className={`min-w-0 truncate font-semibold ${beside === undefined ? 'flex-1' : 'max-sm:flex-1'}`}>{title}</h1>
      {beside !== undefined && (
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 text-sm text-soft max-sm:order-last max-sm:basis-full">
          {beside}
        </div>
      )}
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}
