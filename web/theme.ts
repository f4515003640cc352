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

/** Follows the system until a person has chosen; called once at start. */
export function followTheme(): void {
  paintTheme()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paintTheme)
}

function paintTheme(): void {
  const chosen = chosenTheme()
  const dark = chosen === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}
