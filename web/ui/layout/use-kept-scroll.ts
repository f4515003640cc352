import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

const kept = new Map<string, number>()
/** What is loaded after the screen is drawn makes room only then. */
const TRIED_FOR_MS = 2_000

/** What this is put on is scrolled to where it was when its address was last shown in this tab. */
export function useKeptScroll<Box extends HTMLElement>(part = '') {
  const box = useRef<Box>(null)
  const [location] = useLocation()
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const key = `${location} ${part}`
    const wanted = kept.get(key) ?? 0
    const growing = new ResizeObserver(() => {
      if (current.scrollTop < wanted) current.scrollTop = wanted
      if (current.scrollTop >= wanted) growing.disconnect()
    })
    if (wanted > 0) for (const child of current.children) growing.observe(child)
    const giveUp = () => growing.disconnect()
    const timer = setTimeout(giveUp, TRIED_FOR_MS)
    const keep = () => kept.set(key, current.scrollTop)
    current.addEventListener('scroll', keep, { passive: true })
    current.addEventListener('wheel', giveUp, { passive: true })
    return () => {
      clearTimeout(timer)
      giveUp()
      current.removeEventListener('scroll', keep)
      current.removeEventListener('wheel', giveUp)
    }
  }, [location, part])
  return box
}
