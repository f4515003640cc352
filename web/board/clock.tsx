import { createContext, use, useEffect, useState, type ReactNode } from 'react'

const TICK_MS = 5_000
const Now = createContext(0)

/** The store's clock for everything inside, going on from when it was last read; a browser's own may be wrong. Only what tells a time is drawn again when it ticks. */
export function StoreClock({ readAt, children }: { readAt: string; children: ReactNode }) {
  const [now, setNow] = useState(() => Date.parse(readAt))
  useEffect(() => {
    const started = performance.now()
    const tick = () => setNow(Date.parse(readAt) + performance.now() - started)
    tick()
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [readAt])
  return <Now value={now}>{children}</Now>
}

/** How long ago something was, in whole units. */
export function Ago({ at }: { at: string }) {
  return agoText(at, use(Now))
}

/** How old a lease is, or since when it has run out. */
export function LeaseAge({ expires, duration }: { expires: string; duration: number }) {
  const now = use(Now)
  const left = Date.parse(expires) - now
  if (left <= 0) return <span className="font-medium text-danger">lease ran out {agoText(expires, now)}</span>
  const begun = new Date(Date.parse(expires) - duration * 1_000).toISOString()
  return <span title={`Runs out ${new Date(expires).toLocaleTimeString()}`}>lease renewed {agoText(begun, now)}</span>
}

const units = [
  { name: 'd', ms: 86_400_000, from: 2 },
  { name: 'h', ms: 3_600_000, from: 1 },
  { name: 'min', ms: 60_000, from: 1 },
  { name: 's', ms: 1_000, from: 1 },
] as const

function agoText(at: string, now: number): string {
  const past = now - Date.parse(at)
  const unit = units.find(({ ms, from }) => past >= ms * from)
  return unit === undefined ? 'just now' : `${Math.floor(past / unit.ms)} ${unit.name} ago`
}
