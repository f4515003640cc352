import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** The box of the page in which this is scrolled, and how far below its beginning it is. */
export function useScroller<Box extends HTMLElement>(
  box: RefObject<Box | null>,
): { scroller: RefObject<HTMLElement | null>; above: number | null } {
  const scroller = useRef<HTMLElement>(null)
  const [above, setAbove] = useState<number | null>(null)
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const around = scrollerOf(current)
    scroller.current = around
    const measure = () => setAbove(Math.round(current.getBoundingClientRect().top - around.getBoundingClientRect().top + around.scrollTop))
    measure()
    const watching = new ResizeObserver(measure) // what is above may grow
    for (const child of around.children) watching.observe(child)
    return () => watching.disconnect()
  }, [box])
  return { scroller, above }
}

function scrollerOf(element: HTMLElement): HTMLElement {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  }
  return document.documentElement
}
