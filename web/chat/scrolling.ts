import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/** How near the end counts as reading along; further up, new messages must not move what is being read. */
const NEAR_END_PX = 120

/** Keeps the end in sight while the reader is there; what grows (a card, an answer being written) then pushes upwards. */
export function useReadAlong() {
  const scroller = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const toEnd = useCallback(() => {
    const box = scroller.current
    if (box && follows.current) box.scrollTop = box.scrollHeight
  }, [])
  const follow = useCallback(() => {
    follows.current = true
    toEnd()
  }, [toEnd])
  useEffect(() => {
    const box = scroller.current
    const content = box?.firstElementChild
    if (!box || !content) return
    let last = 0
    const onScroll = () => {
      // Only a reader who scrolls up stops following; a card and a taller text box that arrive together also move the end away.
      if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX) follows.current = true
      else if (box.scrollTop < last) follows.current = false
      last = box.scrollTop
    }
    const growing = new ResizeObserver(toEnd)
    growing.observe(content)
    growing.observe(box) // a taller text box below takes room from it
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      growing.disconnect()
      box.removeEventListener('scroll', onScroll)
    }
  }, [toEnd])
  return { scroller, follow }
}

/** Messages that come in above take their real height only when the browser has drawn them; until then the view is set right again. */
const STEADY_FRAMES = 12

/** Earlier messages come in above what is being read; without this the reader would be thrown to their beginning. */
export function useSteadyView(scroller: RefObject<HTMLDivElement | null>, firstId: string | undefined): () => void {
  const held = useRef<{ message: Element; top: number } | null>(null)
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box || held.current === null) return
    keepInPlace(box, held.current, STEADY_FRAMES)
    held.current = null
  }, [scroller, firstId])
  return () => {
    const box = scroller.current
    const message = box && firstInSight(box)
    if (!message) return
    held.current = { message, top: message.getBoundingClientRect().top }
    box.style.setProperty('overflow-anchor', 'none') // the browser corrects only sometimes; one of us must do it alone
  }
}

function keepInPlace(box: HTMLElement, held: { message: Element; top: number }, frames: number): void {
  box.scrollTop += held.message.getBoundingClientRect().top - held.top
  if (frames === 0) box.style.removeProperty('overflow-anchor')
  else requestAnimationFrame(() => keepInPlace(box, held, frames - 1))
}

function firstInSight(box: HTMLElement): Element | undefined {
  const { top } = box.getBoundingClientRect()
  return [...box.querySelectorAll('[data-message]')].find((message) => message.getBoundingClientRect().bottom > top)
}
