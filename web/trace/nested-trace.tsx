import { useState, type ComponentType } from 'react'
import { counted } from '../../src/domain/text/format.ts'
import { RoleGlyph } from '../roles/role-glyph.tsx'
import { useRoles } from '../roles/role-badge.tsx'
import { ErrorNote, Loading } from '../ui/status/notice.tsx'
import { Draft } from './draft.tsx'
import { foldedCalls, type Line } from './folded-calls.ts'
import { RunLink } from './run-link.tsx'
import { useTrace, type Trace } from './use-trace.ts'

/** Of a long one only the end stands below the call that started it; all of it opens by itself. */
const LINES = 30

interface NestedTraceProps {
  run_id: string
  agent_role: string
  status: string
  /** How one line is drawn: the same as above it. */
  Row: ComponentType<{ trace: Trace; line: Line }>
}

/** What an agent did that a call started, below the call: open while it works, folded afterwards. */
export function NestedTrace({ run_id, agent_role, status, Row }: NestedTraceProps) {
  const [toggled, setToggled] = useState<boolean | null>(null)
  const name = useRoles().get(agent_role)?.name ?? agent_role
  const open = toggled ?? (status === 'running' || status === 'waiting')
  return (
    <div role="group" aria-label={`What ${name} did`} className="ml-1.5 flex flex-col gap-1.5 border-l-2 border-line pl-4">
      <div className="flex items-center gap-2 text-xs text-soft">
        <RoleGlyph id={agent_role} />
        <span className="font-medium text-ink">{name}</span> {status}
        <button type="button" aria-expanded={open} onClick={() => setToggled(!open)} className="hover:text-ink hover:underline">
          {open ? 'Fold' : 'Show what it did'}
        </button>
        <RunLink run={run_id}>Open</RunLink>
      </div>
      {open && <Nested runId={run_id} Row={Row} />}
    </div>
  )
}

function Nested({ runId, Row }: { runId: string; Row: NestedTraceProps['Row'] }) {
  const found = useTrace(runId)
  if (found.isError) return <ErrorNote error={found.error} />
  const trace = found.data
  if (trace === undefined) return <Loading />
  const lines = foldedCalls(trace.messages)
  const above = lines.length - LINES
  return (
    <>
      {above > 0 && <p className="text-xs text-soft">{counted(above, 'earlier line')} not shown here</p>}
      {lines.slice(-LINES).map((line) => (
        <Row key={line.message.id} trace={trace} line={line} />
      ))}
      {trace.status === 'running' && <Draft runId={runId} role={trace.agent_role} messages={trace.messages.slice(-3)} />}
    </>
  )
}
