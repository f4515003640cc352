import { useRef } from 'react'
import { isForPage } from '../ui/shortcuts.ts'
import { useKeys } from '../ui/use-keys.ts'
import { GO_KEY, places } from './places.ts'

/** A letter that comes later than this means something else. */
const WAIT_MS = 1_500

/** Goes to a place by g and its letter. The letter is heard first and by nobody else: in the inbox a j would also move on. */
export function useGoKeys(go: (path: string) => void): void {
  const pressed = useRef<number | null>(null)
  useKeys((event) => {
    const before = pressed.current
    pressed.current = null
    if (event.shiftKey || !isForPage(event)) return
    const place = places.find(({ letter }) => letter === event.key)
    if (place !== undefined && before !== null && event.timeStamp - before < WAIT_MS) {
      event.preventDefault()
      event.stopPropagation()
      go(place.path)
    } else if (event.key === GO_KEY) pressed.current = event.timeStamp
  }, true)
}
