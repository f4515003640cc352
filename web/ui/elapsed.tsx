import { useEffect, useState } from 'react'
import { durationText } from './figures.tsx'

const TICK_MS = 1_000

/** How long something has been going on, counted while it is looked at. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(ticking)
  }, [])
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / TICK_MS))
  return <span className="tabular-nums">{seconds < 60 ? `${seconds} s` : durationText(seconds * TICK_MS)}</span>
}
