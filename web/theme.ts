import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'troupe.theme'
const CHANGED = 'troupe-theme'

/** The choice of this browser, wherever on the page it is made. */
export function useTheme(): Theme {
  return useSyncExternalStore(follow, chosenTheme)
}

/** Applies the choice now and keeps it for the next visit. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  paintTheme()
  dispatchEvent(new Event(CHANGED))
}

/** Colours, and what the browser draws itself, follow the choice; `system` leaves it to the system. Called once at start. */
export function paintTheme(): void {
  document.documentElement.dataset.theme = chosenTheme()
}

function chosenTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

function follow(changed: () => void): () => void {
  addEventListener(CHANGED, changed)
  return () => removeEventListener(CHANGED, changed)
}
