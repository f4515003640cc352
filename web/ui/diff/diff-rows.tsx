import { ChevronRight, ChevronsUpDown, UnfoldVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../form/button.tsx'
import { Counts } from './file-tree.tsx'
import type { DiffFile } from './diff-file.ts'
import type { Gap } from './rows.ts'

const words = { added: 'new', changed: '', deleted: 'deleted' } as const

interface FileHeadProps {
  file: DiffFile
  open: boolean
  onOpen: (open: boolean) => void
  viewed: boolean
  /** Null where there is nothing to be ticked off, such as for a single file. */
  onViewed: ((viewed: boolean) => void) | null
  notes: readonly ReactNode[]
}

/** The name of a file above its changes; it folds them. */
export function FileHead({ file, open, onOpen, viewed, onViewed, notes }: FileHeadProps) {
  return (
    <div className="pt-3">
      <div className={`flex items-center gap-2 border border-line bg-raised px-2 py-1.5 text-xs ${open ? 'rounded-t-lg' : 'rounded-lg'}`}>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => onOpen(!open)}
          className="flex min-w-0 flex-1 items-center gap-1.5 text-left"
        >
          <ChevronRight size={14} className={`shrink-0 text-soft transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden />
          <span className="min-w-0 font-mono [overflow-wrap:anywhere]">{file.path}</span>
          {words[file.status] !== '' && <span className="shrink-0 text-soft">{words[file.status]}</span>}
        </button>
        <Counts file={file} />
        {onViewed !== null && (
          <label className="flex shrink-0 items-center gap-1.5 text-soft">
            <input
              type="checkbox"
              aria-label={`Viewed: ${file.path}`}
              className="size-3.5 accent-accent"
              checked={viewed}
              onChange={({ target }) => onViewed(target.checked)}
            />
            Viewed
          </label>
        )}
      </div>
      {open && notes.length > 0 && <div className="flex flex-col gap-2 border-x border-line p-2">{notes}</div>}
    </div>
  )
}

/** Some lines at a time; a person seldom needs all. */
const LINES_OPENED = 20

interface GapRowProps {
  gap: Gap
  busy: boolean
  onExpand: (from: number, to: number | null) => void
}

/** Lines that did not change, and how to see them. */
export function GapRow({ gap: { from, to }, busy, onExpand }: GapRowProps) {
  const count = to === null ? null : to - from + 1
  const part = count === null || count > LINES_OPENED * 1.5
  return (
    <div className="flex flex-wrap items-center gap-1 border-x border-line bg-raised/60 px-2 py-0.5 text-xs text-soft">
      {part && from > 1 && (
        <Button small look="ghost" icon={ChevronsUpDown} disabled={busy} onClick={() => onExpand(from, from + LINES_OPENED - 1)}>
          {LINES_OPENED} lines below
        </Button>
      )}
      {part && to !== null && (
        <Button small look="ghost" icon={ChevronsUpDown} disabled={busy} onClick={() => onExpand(to - LINES_OPENED + 1, to)}>
          {LINES_OPENED} lines above
        </Button>
      )}
      <Button small look="ghost" icon={UnfoldVertical} disabled={busy} onClick={() => onExpand(from, to)}>
        {count === null
          ? 'The rest of the file'
          : `Show ${count === 1 ? 'the unchanged line' : `${count.toLocaleString()} unchanged lines`}`}
      </Button>
    </div>
  )
}
