import { useCallback, useSyncExternalStore } from 'react'

const CHANGED = 'troupe-choice'

/** A choice of this browser that is kept for the next visit; every part of the page that shows it follows at once. */
export function useKeptChoice(key: string): [string | null, (choice: string | null) => void] {
  const now = useSyncExternalStore(follow, () => localStorage.getItem(key))
  return [now, useCallback((choice) => keep(key, choice), [key])]
}

function keep(key: string, choice: string | null): void {
  if (choice === null) localStorage.removeItem(key)
  else localStorage.setItem(key, choice)
  dispatchEvent(new Event(CHANGED))
}

function follow(changed: () => void): () => void {
  addEventListener(CHANGED, changed)
  addEventListener('storage', changed) // made in another tab
  return () => {
    removeEventListener(CHANGED, changed)
    removeEventListener('storage', changed)
  }
}
