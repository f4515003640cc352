import { useEffect, useState } from 'react'
import { elapsedText } from '../../src/domain/duration.ts'

const TICK_MS = 1_000

/** How long something has been going on, counted while it is looked at. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(ticking)
  }, [])
  return <span className="tabular-nums">{elapsedText(Math.max(0, now - Date.parse(since)))}</span>
}
