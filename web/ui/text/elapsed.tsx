import { useEffect, useState } from 'react'
import { elapsedText } from '../../../src/domain/text/format.ts'

/** How long something has been going on, counted while a person looks. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <time dateTime={since}>{elapsedText(Math.max(0, now - Date.parse(since)))}</time>
}
