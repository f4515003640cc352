import { memo, useEffect, useMemo, useRef, type RefObject } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { EmptyState, ErrorNote, Loading } from '../ui/status/notice.tsx'
import { Draft } from './draft.tsx'
import { foldedCalls, type Line } from './folded-calls.ts'
import { TraceRow } from './trace-row.tsx'
import { useTrace, type Trace } from './use-trace.ts'

/** Drawn once while nothing about it changes: a list in motion draws itself again at every step. */
const Row = memo(TraceRow)

/** How near the end counts as reading along. */
const NEAR_END_PX = 120

/** Everything an agent does in a run, as it does it. Only what is in sight is drawn, so ten thousand calls scroll like ten. */
export function RunTrace({ runId, className = 'h-full' }: { runId: string; className?: string }) {
  const found = useTrace(runId)
  if (found.data === undefined) return found.isError ? <ErrorNote error={found.error} /> : <Loading label="Reading the trace" />
  return <Rows trace={found.data} className={className} />
}

function Rows({ trace, className }: { trace: Trace; className: string }) {
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const lines = useMemo(() => foldedCalls(trace.messages), [trace.messages])
  const rows = useMemo(() => [...lines, null], [lines])
  const working = trace.status === 'running'
  const follow = useFollowing(working, box)
  const toEnd = () => {
    if (follow.current) list.current?.scrollToIndex(lines.length, { align: 'end' })
  }
  useEffect(toEnd)
  if (lines.length === 0 && !working) return <EmptyState title="Nothing was said or done in this run" />
  return (
    <div
      ref={box}
      role="log"
      aria-label="What the agent did"
      aria-live="off"
      aria-busy={!trace.complete}
      tabIndex={0}
      className={`overflow-y-auto [overflow-anchor:none] ${className}`}
    >
      <Virtualizer ref={list} scrollRef={box} data={rows} bufferSize={300} onResize={toEnd}>
        {(line) => (
          <div key={line?.message.id ?? 'end'} className="px-4 py-1 last:pb-4">
            {line === null ? <End trace={trace} last={lines.slice(-3)} /> : <Row trace={trace} line={line} />}
          </div>
        )}
      </Virtualizer>
    </div>
  )
}

function End({ trace, last }: { trace: Trace; last: readonly Line[] }) {
  if (!trace.complete) return <Loading label="Reading more" />
  if (trace.status !== 'running') return null
  return <Draft runId={trace.run_id} role={trace.agent_role} messages={last.map(({ message }) => message)} />
}

/** A reader of a run at work stays at its end until they scroll up. */
function useFollowing(working: boolean, box: RefObject<HTMLDivElement | null>) {
  const follows = useRef(working)
  useEffect(() => {
    const scroller = box.current
    if (scroller === null) return
    let last = 0
    const onScroll = () => {
      if (scroller.scrollTop < last) follows.current = false
      if (working && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX) follows.current = true
      last = scroller.scrollTop
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => scroller.removeEventListener('scroll', onScroll)
  }, [box, working])
  return follows
}
