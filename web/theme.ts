export type Theme = 'system' | 'light' | 'dark'

const KEY = 'troupe.theme'

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Applies the choice now and keeps it for the next visit. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  paintTheme()
}

/** Colours, and what the browser draws itself, follow the choice; `system` leaves it to the system. Called once at start. */
export function paintTheme(): void {
  document.documentElement.dataset.theme = chosenTheme()
}
