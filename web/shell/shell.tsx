import { Bell, Hammer, LayoutGrid, MessageSquare, Moon, Search, Sun, SunMoon, Users, Workflow, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { chooseTheme, useTheme, type Theme } from '../theme.ts'
import { Tooltip } from '../ui/overlay/tooltip.tsx'

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

/** A place of the navigation, and the shape around its icon: on the narrowest phone seven of them stand side by side. */
const spot =
  'relative flex flex-1 flex-col items-center gap-0.5 py-2 text-[11px] whitespace-nowrap focus-visible:-outline-offset-2 sm:flex-none sm:px-1'
const pill = 'rounded-full px-2.5 py-1 sm:px-3.5'

interface ShellProps {
  waiting: number
  banner?: ReactNode
  onSearch: () => void
  children: ReactNode
}

/** The frame of every screen: the places, the search, the theme. A rail on a desk; on a phone a bar at the bottom, with the theme in the search. */
export function Shell({ waiting, banner, onSearch, children }: ShellProps) {
  return (
    <div className="flex h-full flex-col-reverse sm:flex-row">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2">
        Skip to content
      </a>
      <nav
        aria-label="Places"
        className="flex shrink-0 border-line bg-surface max-sm:border-t max-sm:px-1 sm:w-[4.75rem] sm:flex-col sm:overflow-x-hidden sm:overflow-y-auto sm:border-r"
      >
        <Link href="/chat" className="hidden justify-center py-3 sm:flex" aria-label="Troupe home">
          <img src="/mark.svg" alt="" width={30} height={30} />
        </Link>
        {places.map((place) => (
          <PlaceLink key={place.path} place={place} count={place.path === '/needs-you' ? waiting : 0} />
        ))}
        <div className="hidden flex-1 sm:block" />
        <Tooltip text="Search and commands (Ctrl K)">
          <button type="button" onClick={onSearch} className={`${spot} text-soft hover:text-ink`}>
            <span className={pill}>
              <Search size={18} aria-hidden />
            </span>
            Search
          </button>
        </Tooltip>
        <ThemeButton />
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
      className={`${spot} ${here ? 'font-semibold text-accent' : 'text-soft hover:text-ink'}`}
    >
      <span className={`${pill} ${here ? 'bg-accent-wash' : ''}`}>
        <Icon size={18} aria-hidden />
      </span>
      {place.label}
      {count > 0 && (
        <span className="absolute top-1 left-1/2 ml-1 rounded-full bg-danger px-1.5 text-[10px] font-semibold text-surface">
          {count > 99 ? '99+' : count}
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
  const theme = useTheme()
  const { next, icon: Icon } = themes[theme]
  return (
    <Tooltip text={`Theme: ${theme}. Click for ${next}.`}>
      <button
        type="button"
        onClick={() => chooseTheme(next)}
        aria-label={`Theme: ${theme}; change to ${next}`}
        className="mb-3 self-center rounded-md p-2 text-soft hover:bg-raised max-sm:hidden"
      >
        <Icon size={18} aria-hidden />
      </button>
    </Tooltip>
  )
}
