import { useEffect } from 'react'

/** Hears every key that is pressed on the page while the caller is drawn. */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

/** The same for a letter with Ctrl or Cmd, in place of what the browser would do. */
export function useCommandKey(letter: string, act: () => void): void {
  useKeys((event) => {
    if (event.key.toLowerCase() !== letter || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    act()
  })
}
