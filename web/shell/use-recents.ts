import { useEffect } from 'react'
import { useKeptChoice } from '../ui/kept-choice.ts'

const MOST = 8

/** The addresses of things that can be found by their name again. */
const OF_A_THING = /^\/(?:(?:chat|board|jobs|roles)\/(?!new$)[^/]+|board\/[^/]+\/task\/[^/]+|workflows\/show\/[^/]+)$/

/** The things this browser opened last, the latest first. */
export function useRecents(): readonly string[] {
  return parsed(useKeptChoice(KEY)[0])
}

/** Remembers what is opened. */
export function useRememberOpened(path: string): void {
  const [kept, keep] = useKeptChoice(KEY)
  useEffect(() => {
    if (!OF_A_THING.test(path)) return
    const opened = [path, ...parsed(kept).filter((one) => one !== path)].slice(0, MOST)
    if (JSON.stringify(opened) !== kept) keep(JSON.stringify(opened))
  }, [path]) // alone: a thing opened in another tab must not make this one the latest again
}

const KEY = 'troupe.recents'

/** Anything else a browser kept under this name counts as nothing. */
function parsed(kept: string | null): readonly string[] {
  try {
    const read: unknown = JSON.parse(kept ?? '[]')
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
