import { Moon, PanelLeftClose, PanelLeftOpen, Search, Sun, SunMoon, type LucideIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { chooseTheme, useTheme, type Theme } from '../theme.ts'
import { KeyHint } from '../ui/text/key-hint.tsx'
import { Tooltip } from '../ui/overlay/tooltip.tsx'
import { areas, needsYou, type Place } from './places.ts'
import { ProjectSwitcher } from './project-switcher.tsx'
import { RunningNow } from './running-now.tsx'

const line =
  'flex h-8 w-full shrink-0 items-center gap-2 rounded-md px-2 text-left focus-visible:-outline-offset-2 rail:justify-center rail:px-0'

interface SidebarProps {
  waiting: number
  onSearch: () => void
  /** Folds the sidebar to its signs and back; a phone's sheet has no such thing. */
  onFold?: () => void
  folded?: boolean
}

/** The project, the search, what needs a person, the areas and what runs, from top to bottom. */
export function Sidebar({ waiting, onSearch, onFold, folded = false }: SidebarProps) {
  return (
    <>
      <div className="flex h-header shrink-0 items-center gap-1.5 rail:h-auto rail:flex-col rail:py-2">
        <Link href="/chat" aria-label="Troupe home" className="shrink-0 rounded-md p-1">
          <img src="/mark.svg" alt="" width={22} height={22} />
        </Link>
        <div className="min-w-0 flex-1">
          <ProjectSwitcher />
        </div>
      </div>
      <button type="button" onClick={onSearch} className={`${line} text-soft hover:bg-line/60 hover:text-ink`}>
        <Search size={16} aria-hidden />
        <span className="flex-1 rail:sr-only">Search</span>
        <span className="rail:hidden">
          <KeyHint keys="Ctrl K" />
        </span>
      </button>
      <PlaceLink place={needsYou} count={waiting} />
      <hr className="my-1.5 border-line" />
      {areas.map((place) => (
        <PlaceLink key={place.path} place={place} count={0} />
      ))}
      <hr className="my-1.5 border-line" />
      <RunningNow />
      <div className="flex-1" />
      <div className="flex shrink-0 items-center justify-between gap-1 py-2 rail:flex-col">
        <ThemeButton />
        {onFold !== undefined && <FoldButton folded={folded} onFold={onFold} />}
      </div>
    </>
  )
}

function PlaceLink({ place: { path, label, icon: Icon }, count }: { place: Place; count: number }) {
  const [location] = useLocation()
  const here = location.startsWith(path)
  return (
    <Link
      href={path}
      aria-current={here ? 'page' : undefined}
      title={label}
      className={`${line} relative ${here ? 'bg-line/70 font-medium text-ink' : 'text-soft hover:bg-line/60 hover:text-ink'}`}
    >
      <Icon size={16} aria-hidden />
      <span className="flex-1 rail:sr-only">{label}</span>
      <WaitingCount count={count} />
    </Link>
  )
}

/** How much waits for a person: the one solid red of the page. */
export function WaitingCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="min-w-5 rounded-full bg-danger px-1.5 text-center text-xs font-semibold text-surface rail:absolute rail:-top-0.5 rail:right-0">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> waiting</span>
    </span>
  )
}

function FoldButton({ folded, onFold }: { folded: boolean; onFold: () => void }) {
  const Icon = folded ? PanelLeftOpen : PanelLeftClose
  return (
    <button
      type="button"
      onClick={onFold}
      aria-label={folded ? 'Expand the sidebar' : 'Collapse the sidebar'}
      aria-pressed={folded}
      className="rounded-md p-2 text-soft hover:bg-line/60 hover:text-ink max-lg:hidden"
    >
      <Icon size={16} aria-hidden />
    </button>
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
        className="rounded-md p-2 text-soft hover:bg-line/60 hover:text-ink"
      >
        <Icon size={16} aria-hidden />
      </button>
    </Tooltip>
  )
}
