import { counted, durationText } from '../../src/domain/text/format.ts'
import { RoleGlyph } from '../roles/role-glyph.tsx'
import { useRoles } from '../roles/role-badge.tsx'
import { Elapsed } from '../ui/text/elapsed.tsx'
import { Money, Moment, Tokens } from '../ui/text/figures.tsx'
import type { Trace } from './use-trace.ts'

/** Who works in a run, as the title of its trace. */
export function RunTitle({ role, at }: { role: string; at: string }) {
  const name = useRoles().get(role)?.name ?? role
  return (
    <span className="flex min-w-0 items-center gap-2">
      <RoleGlyph id={role} />
      <span className="truncate">
        {name} <Moment at={at} className="font-normal text-soft" />
      </span>
    </span>
  )
}

/** How a run stands and what it used, in one line. */
export function RunFigures({ trace }: { trace: Trace }) {
  const { status, reason, started_at, ended_at, turns, usage, model } = trace
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-2 text-xs text-soft">
      <span className={status === 'failed' || status === 'interrupted' ? 'text-danger' : 'text-ink'}>
        {status}
        {reason !== null && `: ${reason.replaceAll('_', ' ')}`}
      </span>
      {ended_at === null ? <Elapsed since={started_at} /> : <span>{durationText(Date.parse(ended_at) - Date.parse(started_at))}</span>}
      <span>{counted(turns, 'turn')}</span>
      <Tokens usage={usage} />
      <Money spent={usage} />
      <span className="truncate font-mono">{model}</span>
    </p>
  )
}
