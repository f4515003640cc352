import { useCallback, useMemo } from 'react'
import { useKeptChoice } from '../kept-choice.ts'

/** What a person says about one line, until it is sent. */
export interface LineComment {
  id: string
  path: string
  side: 'old' | 'new'
  line: number
  /** The line itself, so that the comment is understood where the file is not at hand. */
  code: string
  text: string
  /** What would be right; only where that is asked for. */
  fix: string
  /** Still being written. */
  open: boolean
}

/** The comments on one diff that are not sent yet. They are kept in this browser: a reload loses none. */
export interface LineComments {
  all: readonly LineComment[]
  /** Those that are finished and would be sent. */
  ready: readonly LineComment[]
  asksFix: boolean
  begin: (place: Pick<LineComment, 'path' | 'side' | 'line' | 'code'>) => void
  change: (id: string, to: Partial<LineComment>) => void
  remove: (id: string) => void
  clear: () => void
}

export function useLineComments(id: string, { asksFix = false }: { asksFix?: boolean } = {}): LineComments {
  const [kept, keep] = useKeptChoice(`troupe.comments.${id}`)
  const all = useMemo(() => readKept(kept), [kept])
  const set = useCallback((now: readonly LineComment[]) => keep(now.length === 0 ? null : JSON.stringify(now)), [keep])
  return useMemo(
    () => ({
      all,
      ready: all.filter(({ open, text }) => !open && text.trim() !== ''),
      asksFix,
      begin: (place) => {
        if (all.some((one) => one.open && samePlace(one, place))) return
        set([...all, { ...place, id: crypto.randomUUID(), text: '', fix: '', open: true }])
      },
      change: (commentId, to) => set(all.map((one) => (one.id === commentId ? { ...one, ...to } : one))),
      remove: (commentId) => set(all.filter((one) => one.id !== commentId)),
      clear: () => set([]),
    }),
    [all, asksFix, set],
  )
}

export function samePlace(one: Pick<LineComment, 'path' | 'side' | 'line'>, other: Pick<LineComment, 'path' | 'side' | 'line'>): boolean {
  return one.path === other.path && one.side === other.side && one.line === other.line
}

/** Where a comment belongs, as people and models write it. */
export function placeText({ path, line, side }: Pick<LineComment, 'path' | 'side' | 'line'>): string {
  return `${path}:${line}${side === 'old' ? ' (a deleted line)' : ''}`
}

/** Written by this page alone; anything else is left. */
function readKept(kept: string | null): LineComment[] {
  try {
    const read: unknown = JSON.parse(kept ?? '[]')
    return Array.isArray(read) ? (read as LineComment[]) : [] // as `set` wrote it
  } catch {
    return []
  }
}
