import { Ban, Check, ChevronRight, CircleAlert, CircleDashed, CirclePause, LoaderCircle, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { durationText } from '../../src/domain/text/format.ts'
import { useLiveOutput } from '../live.ts'
import { RoleGlyph } from '../roles/role-glyph.tsx'
import { Ansi } from '../ui/text/ansi.tsx'
import { Elapsed } from '../ui/text/elapsed.tsx'
import { CallDetails } from './call-details.tsx'
import { callWords, whyNot } from './call-words.ts'
import type { ToolCall, ToolResult } from './folded-calls.ts'

interface CallLineProps {
  runId: string | undefined
  call: ToolCall | null
  result: ToolResult | null
  /** Whether its run is at work; a call without a result in one that is over was cut off. */
  atWork: boolean
  /** The role that made it, where several speak. */
  role?: string | undefined
  /** Only a part of its output or arguments is here. */
  shortened?: boolean
  /** What belongs below it: what it started, what it asks. */
  children?: ReactNode
}

/** Which lines a person opened or closed, by call: a list draws only what is in sight, and forgets the rest. */
const chosen = new Map<string, boolean>()

/** A tool call in one line: what was done to what, with which result; what it printed and changed below it. */
export function CallLine({ runId, call, result, atWork, role, shortened = false, children }: CallLineProps) {
  const { verb, target, added, removed, outcome } = callWords(call, result)
  const key = call?.call_id ?? result?.call_id ?? ''
  const [open, setOpen] = useState(chosen.get(`${runId} ${key}`) ?? false)
  const going = atWork && (result === null || result.outcome === 'running')
  const why = result === null || !['denied', 'error'].includes(result.outcome) ? '' : whyNot(result)
  const toggle = (now: boolean) => {
    chosen.set(`${runId} ${key}`, now)
    setOpen(now)
  }
  return (
    <div data-call={call?.tool ?? result?.tool} className="flex flex-col gap-1.5">
      <details open={open} onToggle={(event) => toggle(event.currentTarget.open)} className="group">
        <summary className="-mx-1.5 flex min-h-7 cursor-pointer list-none items-center gap-2 rounded-md px-1.5 text-sm hover:bg-raised">
          <Outcome going={going} result={result} />
          {role !== undefined && <RoleGlyph id={role} named />}
          <span className="shrink-0">{verb}</span>
          <span className="min-w-0 truncate font-mono text-xs">{target}</span>
          <Counts added={added} removed={removed} />
          <span className="ml-auto flex shrink-0 items-center gap-2 pl-2 text-xs text-soft">
            {outcome !== '' && <span className={outcome.startsWith('exit') ? 'text-danger' : ''}>{outcome}</span>}
            {going && call !== null && <Elapsed since={call.at} />}
            {result !== null && result.took_ms >= 1 && durationText(result.took_ms)}
            <ChevronRight size={14} className="transition-transform group-open:rotate-90" aria-hidden />
          </span>
        </summary>
        {open && <CallDetails runId={runId} call={call} result={result} shortened={shortened} />}
      </details>
      {why !== '' && <p className="ml-6 text-xs [overflow-wrap:anywhere] text-danger">{why}</p>}
      {going && call !== null && <RunningOutput runId={runId} callId={call.call_id} />}
      {children}
    </div>
  )
}

const outcomes: Record<ToolResult['outcome'], { icon: LucideIcon; look: string; label: string }> = {
  ok: { icon: Check, look: 'text-soft', label: 'done' },
  error: { icon: CircleAlert, look: 'text-danger', label: 'failed' },
  denied: { icon: Ban, look: 'text-danger', label: 'denied' },
  waiting: { icon: CirclePause, look: 'text-warn', label: 'waiting for you' },
  interrupted: { icon: CircleDashed, look: 'text-warn', label: 'interrupted' },
  running: { icon: CircleDashed, look: 'text-soft', label: 'not finished' },
}

/** How it stands, as a sign with its word for who cannot see it. */
function Outcome({ going, result }: { going: boolean; result: ToolResult | null }) {
  if (going) return <LoaderCircle size={14} className="shrink-0 animate-spin text-accent" aria-label="running" />
  const { icon: Icon, look, label } = outcomes[result?.outcome ?? 'running']
  return <Icon size={14} className={`shrink-0 ${look}`} aria-label={label} />
}

function Counts({ added, removed }: { added: number | null; removed: number | null }) {
  if ((added ?? 0) + (removed ?? 0) === 0) return null
  return (
    <span className="flex shrink-0 gap-1 font-mono text-xs">
      {added !== null && added > 0 && <span className="text-good">+{added}</span>}
      {removed !== null && removed > 0 && <span className="text-danger">−{removed}</span>}
    </span>
  )
}

/** The last lines of what a call prints, while it prints them; afterwards they are part of its answer. */
function RunningOutput({ runId, callId }: { runId: string | undefined; callId: string }) {
  const output = useLiveOutput(runId, callId)
  if (output === '') return null
  return (
    <div
      role="log"
      aria-label="Output so far"
      aria-live="off"
      tabIndex={0}
      className="ml-6 flex max-h-44 flex-col-reverse overflow-y-auto rounded-md border border-line bg-raised px-3 py-2"
    >
      <pre className="font-mono text-xs whitespace-pre-wrap">
        <Ansi text={output} />
      </pre>
    </div>
  )
}
