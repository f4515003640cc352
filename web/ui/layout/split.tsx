import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

interface SplitProps {
  /** The place, at the head of the list where only the list is shown. */
  title: string
  /** The form for a new one, and what the link to it says. */
  begin: { href: string; label: string }
  list: ReactNode
  opened: boolean
  children: ReactNode
}

/** A list on the left and what is open of it on the right; on a phone, one or the other. */
export function Split({ title, begin, list, opened, children }: SplitProps) {
  return (
    <div className="flex h-full">
      <aside
        className={`flex w-full shrink-0 flex-col border-line bg-surface sm:w-72 sm:border-r lg:w-80 ${opened ? 'max-sm:hidden' : ''}`}
      >
        <header className="flex items-center justify-between gap-3 px-3 pt-3 max-sm:px-4">
          <h1 className="text-xl font-semibold tracking-tight sm:hidden">{title}</h1>
          <Link
            href={begin.href}
            className="flex h-9 items-center justify-center gap-1.5 rounded-md bg-accent px-3 text-sm font-medium text-accent-ink hover:bg-accent-hover sm:flex-1"
          >
            <Plus size={16} aria-hidden />
            {begin.label}
          </Link>
        </header>
        {list}
      </aside>
      <div className={`min-w-0 flex-1 ${opened ? '' : 'max-sm:hidden'}`}>{children}</div>
    </div>
  )
}
