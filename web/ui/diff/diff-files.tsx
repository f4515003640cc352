import { Columns2, Rows2 } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { counted } from '../../../src/domain/text/format.ts'
import { Button } from '../form/button.tsx'
import { useKeptChoice } from '../kept-choice.ts'
import { ErrorNote } from '../status/notice.tsx'
import type { LineNote } from './diff-block.tsx'
import type { DiffFile } from './diff-file.ts'
import { endOf, Row } from './diff-row.tsx'
import { Counts, FileTree } from './file-tree.tsx'
import type { LineComments } from './line-comments.ts'
import { useDiff, type DiffState } from './use-diff.ts'
import { useScroller } from './use-scroller.ts'
import './diff.css'

export interface DiffFilesProps {
  /** What is being looked at: marks of what was viewed are kept under it. */
  id: string
  files: readonly DiffFile[]
  /** The patch of one file with all its lines; without it nothing can be opened around a change. */
  loadWhole?: (path: string) => Promise<string | null>
  notes?: readonly LineNote[]
  comments?: LineComments
  /** On the right of the line above the files. */
  actions?: ReactNode
}

/** Two columns of code need this much room. */
const SPLIT_FROM_PX = 820
/** So few are all drawn: a search of the browser then finds all of them. */
const DRAWN_AT_ONCE = 24

/** The changes of one file or of many, with their list beside them. */
export function DiffFiles(props: DiffFilesProps) {
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const state = useDiff(props)
  const { files, several, rows, viewed, error, fold } = state
  const { split, choose, wide } = useSplit(box)
  function goTo(path: string): void {
    fold(path, true)
    const at = rows.findIndex((row) => row.kind === 'file' && row.file.path === path)
    if (list.current) list.current.scrollToIndex(at)
    else box.current?.querySelectorAll('[data-row]')[at]?.scrollIntoView()
  }
  return (
    <div ref={box} className={`flex min-w-0 flex-col ${several ? 'lg:flex-row lg:gap-4' : ''}`}>
      {several && (
        <div className="shrink-0 max-lg:max-h-40 max-lg:overflow-y-auto max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:p-1 lg:sticky lg:top-0 lg:max-h-[80dvh] lg:w-60 lg:self-start lg:overflow-y-auto lg:pt-12">
          <FileTree files={files} viewed={viewed} onChoose={goTo} />
        </div>
      )}
      <div className="min-w-0 flex-1">
        {(several || wide || props.actions !== undefined) && (
          <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
            <span className="flex-1">{several && <Summary files={files} viewed={viewed.size} />}</span>
            {props.actions}
            {wide && <SplitChoice split={split} onChoose={choose} />}
          </div>
        )}
        {error !== null && <ErrorNote error={error} />}
        <Rows list={list} state={state} split={split} />
      </div>
    </div>
  )
}

/** Of many rows only those in sight are drawn. */
function Rows({ list, state, split }: { list: RefObject<VirtualizerHandle | null>; state: DiffState; split: boolean }) {
  const inner = useRef<HTMLDivElement>(null)
  const { scroller, above } = useScroller(inner)
  const { rows } = state
  const draw = (at: number) => {
    const row = rows[at]
    if (row === undefined) return <div key={at} />
    return (
      <div key={row.key} data-row={row.kind} className={endOf(rows, at)}>
        <Row row={row} state={state} split={split} />
      </div>
    )
  }
  return (
    <div ref={inner}>
      {rows.length > DRAWN_AT_ONCE && above !== null ? (
        <Virtualizer ref={list} scrollRef={scroller} startMargin={above} data={rows}>
          {(_, at) => draw(at)}
        </Virtualizer>
      ) : (
        rows.slice(0, DRAWN_AT_ONCE).map((_, at) => draw(at))
      )}
    </div>
  )
}

function Summary({ files, viewed }: { files: readonly DiffFile[]; viewed: number }) {
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + (file[of] ?? 0), 0)
  return (
    <>
      {counted(files.length, 'file')} changed <Counts file={{ added: sum('added'), removed: sum('removed') }} />
      {viewed > 0 && ` · ${viewed} of ${files.length} viewed`}
    </>
  )
}

function SplitChoice({ split, onChoose }: { split: boolean; onChoose: (split: boolean) => void }) {
  return (
    <div role="group" aria-label="Layout of the changes" className="flex gap-1">
      <Button small look={split ? 'ghost' : 'plain'} icon={Rows2} aria-pressed={!split} onClick={() => onChoose(false)}>
        Unified
      </Button>
      <Button small look={split ? 'plain' : 'ghost'} icon={Columns2} aria-pressed={split} onClick={() => onChoose(true)}>
        Side by side
      </Button>
    </div>
  )
}

/** Side by side where a person wants it and there is room. */
function useSplit(box: RefObject<HTMLElement | null>) {
  const [kept, keep] = useKeptChoice('troupe.diff')
  const [wide, setWide] = useState(false)
  useEffect(() => {
    if (box.current === null) return
    const watching = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= SPLIT_FROM_PX))
    watching.observe(box.current)
    return () => watching.disconnect()
  }, [box])
  return { wide, split: wide && kept === 'split', choose: (split: boolean) => keep(split ? 'split' : null) }
}
