import { useEffect, useState } from 'react'
import { durationText } from '../ui/figures.tsx'

const TICK_MS = 5_000

/** The store's clock, going on from when it was last read; a browser's own may be wrong. */
export function useStoreClock(readAt: string): number {
  const [now, setNow] = useState(() => Date.parse(readAt))
  useEffect(() => {
    const started = performance.now()
    const tick = () => setNow(Date.parse(readAt) + performance.now() - started)
    tick()
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [readAt])
  return now
}

/** How long ago something was, in whole units. */
export function agoText(at: string, now: number): string {
  const past = Math.max(0, now - Date.parse(at))
  return past < 1_000 ? 'just now' : `${durationText(Math.round(past / 1_000) * 1_000).replace('.0', '')} ago`
}

/** How old a lease is, or since when it has run out. */
export function LeaseAge({ expires, duration, now }: { expires: string; duration: number; now: number }) {
  const left = Date.parse(expires) - now
  if (left <= 0) return <span className="font-medium text-danger">lease ran out {agoText(expires, now)}</span>
  const begun = new Date(Date.parse(expires) - duration * 1_000).toISOString()
  return <span title={`Runs out ${new Date(expires).toLocaleTimeString()}`}>lease renewed {agoText(begun, now)}</span>
}
