import { Bell, Hammer, LayoutGrid, MessageSquare, Moon, Search, Sun, SunMoon, Users, Workflow, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { chooseTheme, chosenTheme, type Theme } from '../theme.ts'
import { Tooltip } from './tooltip.tsx'

export interface Place {
  path: string
  label: string
  icon: LucideIcon
}

/** The places of the page, as equals. */
export const places: readonly Place[] = [
  { path: '/chat', label: 'Chat', icon: MessageSquare },
  { path: '/board', label: 'Board', icon: LayoutGrid },
  { path: '/jobs', label: 'Jobs', icon: Hammer },
  { path: '/workflows', label: 'Workflows', icon: Workflow },
  { path: '/roles', label: 'Roles', icon: Users },
  { path: '/needs-you', label: 'Needs you', icon: Bell },
]

interface ShellProps {
  waiting: number
  banner?: ReactNode
  onSearch: () => void
  children: ReactNode
}

/** The frame of every screen: the places, the search, the theme. A rail on a desk, a bar at the bottom on a phone. */
export function Shell({ waiting, banner, onSearch, children }: ShellProps) {
  return (
    <div className="flex h-full flex-col-reverse sm:flex-row">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2">
        Skip to the content
      </a>
      <nav aria-label="Places" className="flex shrink-0 border-line bg-surface max-sm:border-t sm:w-[4.75rem] sm:flex-col sm:border-r">
        <Link href="/chat" className="hidden justify-center py-3 sm:flex" aria-label="Troupe, to the start">
          <img src="/mark.svg" alt="" width={30} height={30} />
        </Link>
        {places.map((place) => (
          <PlaceLink key={place.path} place={place} count={place.path === '/needs-you' ? waiting : 0} />
        ))}
        <div className="hidden flex-1 sm:block" />
        <div className="hidden flex-col items-center gap-1 pb-3 sm:flex">
          <Tooltip text="Search and commands (Ctrl K)">
            <button type="button" onClick={onSearch} aria-label="Search and commands" className="rounded-md p-2 text-soft hover:bg-raised">
              <Search size={18} aria-hidden />
            </button>
          </Tooltip>
          <ThemeButton />
        </div>
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {banner}
        <main id="content" className="min-h-0 flex-1">
          {children}
        </main>
      </div>
    </div>
  )
}

function PlaceLink({ place, count }: { place: Place; count: number }) {
  const [location] = useLocation()
  const here = location.startsWith(place.path)
  const Icon = place.icon
  return (
    <Link
      href={place.path}
      aria-current={here ? 'page' : undefined}
      className={`relative flex flex-1 flex-col items-center gap-0.5 px-1 py-2 text-[11px] sm:flex-none ${here ? 'font-semibold text-accent' : 'text-soft hover:text-ink'}`}
    >
      <span className={`rounded-full px-3.5 py-1 ${here ? 'bg-accent-wash' : ''}`}>
        <Icon size={18} aria-hidden />
      </span>
      <span className="whitespace-nowrap">{place.label}</span>
      {count > 0 && (
        <span className="absolute top-1 right-2 rounded-full bg-danger px-1.5 text-[10px] font-semibold text-surface">
          {count}
          <span className="sr-only"> waiting</span>
        </span>
      )}
    </Link>
  )
}

const themes: Record<Theme, { next: Theme; icon: LucideIcon }> = {
  system: { next: 'light', icon: SunMoon },
  light: { next: 'dark', icon: Sun },
  dark: { next: 'system', icon: Moon },
}

function ThemeButton() {
  const [theme, setTheme] = useState(chosenTheme)
  const { next, icon: Icon } = themes[theme]
  function change() {
    chooseTheme(next)
    setTheme(next)
  }
  return (
    <Tooltip text={`Theme: ${theme}. Click for ${next}.`}>
      <button
        type="button"
        onClick={change}
        aria-label={`Theme: ${theme}; change to ${next}`}
        className="rounded-md p-2 text-soft hover:bg-raised"
      >
        <Icon size={18} aria-hidden />
      </button>
    </Tooltip>
  )
}
