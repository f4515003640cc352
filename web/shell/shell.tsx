import { Menu as MenuIcon, Search, type LucideIcon } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { areas, needsYou, type Place } from './places.ts'
import { Sidebar, WaitingCount } from './sidebar.tsx'
import { useKeptChoice } from '../ui/kept-choice.ts'

interface ShellProps {
  waiting: number
  banner?: ReactNode
  onSearch: () => void
  children: ReactNode
}

/** The frame of every screen: a sidebar on a desk, its signs alone where there is less room; on a phone a bar at the bottom and the sidebar as a sheet. */
export function Shell({ waiting, banner, onSearch, children }: ShellProps) {
  const [kept, keep] = useKeptChoice('troupe.sidebar')
  const folded = kept === 'folded'
  return (
    <div className="flex h-full flex-col-reverse sm:flex-row">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2">
        Skip to content
      </a>
      <nav
        aria-label="Places"
        data-nav={folded ? 'folded' : 'open'}
        className="hidden shrink-0 flex-col gap-0.5 overflow-x-hidden overflow-y-auto border-r border-line bg-raised px-2 transition-[width] sm:flex sm:w-sidebar rail:w-rail"
      >
        <Sidebar waiting={waiting} onSearch={onSearch} folded={folded} onFold={() => keep(folded ? null : 'folded')} />
      </nav>
      <PhoneBar waiting={waiting} onSearch={onSearch} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {banner}
        <main id="content" className="min-h-0 flex-1">
          {children}
        </main>
      </div>
    </div>
  )
}

const spot = 'relative flex min-w-0 flex-1 flex-col items-center gap-1 py-2 text-xs whitespace-nowrap focus-visible:-outline-offset-2'

/** What is gone to most, at the thumb; everything else is in the sheet. */
function PhoneBar({ waiting, onSearch }: Pick<ShellProps, 'waiting' | 'onSearch'>) {
  const [open, setOpen] = useState(false)
  const [location] = useLocation()
  useEffect(() => setOpen(false), [location])
  const search = () => {
    setOpen(false)
    onSearch()
  }
  return (
    <nav aria-label="Places" className="flex shrink-0 border-t border-line bg-raised px-1 sm:hidden">
      {[...areas.slice(0, 3), needsYou].map((place) => (
        <PhonePlace key={place.path} place={place} count={place === needsYou ? waiting : 0} />
      ))}
      <PhoneButton icon={Search} label="Search" onPress={onSearch} />
      <PhoneButton icon={MenuIcon} label="Menu" onPress={() => setOpen(true)} />
      {open && (
        <Sheet title="Menu" onClose={() => setOpen(false)}>
          <Sidebar waiting={waiting} onSearch={search} />
        </Sheet>
      )}
    </nav>
  )
}

function PhonePlace({ place: { path, label, icon: Icon }, count }: { place: Place; count: number }) {
  const [location] = useLocation()
  const here = location.startsWith(path)
  return (
    <Link href={path} aria-current={here ? 'page' : undefined} className={`${spot} ${here ? 'font-medium text-ink' : 'text-soft'}`}>
      <span className="relative">
        <Icon size={18} aria-hidden />
        <span className="absolute -top-1.5 left-2.5">
          <WaitingCount count={count} />
        </span>
      </span>
      <span className="max-[359px]:sr-only">{label}</span>
    </Link>
  )
}

function PhoneButton({ icon: Icon, label, onPress }: { icon: LucideIcon; label: string; onPress: () => void }) {
  return (
    <button type="button" onClick={onPress} className={`${spot} text-soft`}>
      <Icon size={18} aria-hidden />
      <span className="max-[359px]:sr-only">{label}</span>
    </button>
  )
}
