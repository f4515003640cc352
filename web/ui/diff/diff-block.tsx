import { memo, useEffect, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Diff, getChangeKey, type ChangeData, type GutterOptions, type HunkData, type HunkTokens } from 'react-diff-view'
import { CommentCard } from './comment-card.tsx'
import { diffTypes, type DiffFile } from './diff-file.ts'
import { tokensOf } from './highlight.ts'
import type { LineComment, LineComments } from './line-comments.ts'

/** What is said about a line of the new file. */
export interface LineNote {
  path: string
  line: number
  node: ReactNode
}

interface DiffBlockProps {
  file: DiffFile
  block: HunkData
  split: boolean
  notes: readonly LineNote[]
  comments: LineComments | null
}

/** Some lines of one file. */
export const DiffBlock = memo(function DiffBlock({ file, block, split, notes, comments }: DiffBlockProps) {
  const tokens = useTokens(file.path, block)
  return (
    <section
      aria-label={`Changes in ${file.path}, ${linesOf(block)}`}
      onKeyDown={moveBetweenLines}
      className="diff-of-file overflow-hidden border-x border-line bg-surface"
    >
      <Diff
        diffType={diffTypes[file.status]}
        viewType={split ? 'split' : 'unified'}
        hunks={[block]}
        tokens={tokens}
        widgets={widgetsOf(block, notes, comments)}
        renderGutter={(options) => gutter(options, file.path, comments, options.change === block.changes[0])}
      />
    </section>
  )
})

/** Which lines these are: of the file as it is now, or of what is gone. */
function linesOf({ oldStart, oldLines, newStart, newLines }: HunkData): string {
  if (newLines === 0) return `deleted lines ${oldStart} to ${oldStart + oldLines - 1}`
  return `lines ${newStart} to ${newStart + newLines - 1}`
}

/** Colours come a moment after the text: what scrolls by must not wait for them. */
function useTokens(path: string, block: HunkData): HunkTokens | null {
  const [tokens, setTokens] = useState<HunkTokens | null>(null)
  useEffect(() => {
    const idle = requestIdleCallback(() => setTokens(tokensOf(path, block)), { timeout: 500 })
    return () => cancelIdleCallback(idle)
  }, [path, block])
  return tokens
}

/** The number of a line; where comments are welcome, a button that begins one. */
function gutter({ change, side, renderDefault }: GutterOptions, path: string, comments: LineComments | null, isFirst: boolean): ReactNode {
  const line = lineOf(change, side)
  if (comments === null || line === null) return renderDefault()
  const code = change.content
  return (
    <button
      type="button"
      data-line-button
      tabIndex={isFirst ? 0 : -1}
      aria-label={`Comment on ${change.type === 'delete' ? 'deleted ' : ''}line ${line}`}
      onClick={() => comments.begin({ path, side: change.type === 'delete' ? 'old' : 'new', line: sentLine(change), code })}
      className="diff-line-button"
    >
      {line}
    </button>
  )
}

/** The number shown on a side; a line that is the same on both has two. */
function lineOf(change: ChangeData, side: 'old' | 'new'): number | null {
  if (change.type === 'normal') return side === 'old' ? change.oldLineNumber : change.newLineNumber
  return (change.type === 'delete') === (side === 'old') ? change.lineNumber : null
}

/** People speak of the file as it is now, except about a line that is gone. */
function sentLine(change: ChangeData): number {
  return change.type === 'normal' ? change.newLineNumber : change.lineNumber
}

function widgetsOf(block: HunkData, notes: readonly LineNote[], comments: LineComments | null): Record<string, ReactNode> {
  const said = comments?.all ?? []
  if (notes.length === 0 && said.length === 0) return {}
  const below = block.changes.flatMap((change): [string, ReactNode][] => {
    const line = sentLine(change)
    const side = change.type === 'delete' ? 'old' : 'new'
    const told = side === 'new' ? notes.filter((note) => note.line === line) : []
    const own = said.filter((comment: LineComment) => comment.line === line && comment.side === side)
    if (told.length + own.length === 0) return []
    const cards = own.map((comment) => comments && <CommentCard key={comment.id} comment={comment} comments={comments} />)
    return [
      [
        getChangeKey(change),
        <div key="below" className="flex max-w-prose flex-col gap-2 p-2">
          {told.map(({ node }) => node)}
          {cards}
        </div>,
      ],
    ]
  })
  return Object.fromEntries(below)
}

/** The arrow keys go from one line number to the next: the tab key stops at the first line of each block only, or it would never get past them. */
function moveBetweenLines(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.target instanceof HTMLElement) || !event.target.matches('[data-line-button]')) return
  const all = [...document.querySelectorAll<HTMLElement>('[data-line-button]')]
  event.preventDefault()
  all[all.indexOf(event.target) + step]?.focus()
}
