import { useEffect } from 'react'
import { isShortcut, type ShortcutName } from './shortcuts.ts'

/** Hears every key that is pressed on the page while the caller is drawn. With `first`, before anything else does. */
export function useKeys(onKey: (event: KeyboardEvent) => void, first = false): void {
  useEffect(() => {
    addEventListener('keydown', onKey, first)
    return () => removeEventListener('keydown', onKey, first)
  })
}

/** The same for one shortcut, in place of what the browser would do. */
export function useShortcut(name: ShortcutName, act: () => void): void {
  useKeys((event) => {
    if (!isShortcut(name, event)) return
    event.preventDefault()
    act()
  })
}
