import { Link } from 'wouter'
import type { OperationOutput } from '../../src/api/operations.ts'
import { useClockedRead } from '../api.ts'
import { RoleGlyph } from '../roles/role-glyph.tsx'
import { Elapsed } from '../ui/text/elapsed.tsx'

type Running = OperationOutput<'system.list_running'>['running'][number]

/** A dead process ends its lease without a line in the log, so the list is asked for now and then. */
const ASKED_EVERY_MS = 30_000
const SHOWN = 6

/** Every agent that works at this moment, whichever area started it. */
export function RunningNow() {
  const running = useClockedRead('system.list_running', {}, ASKED_EVERY_MS).data?.running ?? []
  if (running.length === 0) return null
  return (
    <section aria-label="Running now" className="flex flex-col gap-0.5">
      <h2 className="flex h-7 items-center justify-between px-2 text-xs font-medium text-soft rail:sr-only">
        Running now <span>{running.length}</span>
      </h2>
      <ul className="flex flex-col gap-0.5">
        {running.slice(0, SHOWN).map((one) => (
          <li key={`${one.way} ${one.id}`}>
            <RunningLink running={one} />
          </li>
        ))}
      </ul>
      {running.length > SHOWN && <p className="px-2 text-xs text-soft rail:sr-only">and {running.length - SHOWN} more</p>}
    </section>
  )
}

function RunningLink({ running: { title, agent, agent_role, link, since, way } }: { running: Running }) {
  return (
    <Link
      href={link}
      title={`${agent}: ${title}`}
      className="flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-sm hover:bg-line/60 rail:justify-center rail:px-0"
    >
      <span className="relative">
        <RoleGlyph id={agent_role} />
        <span className="absolute -right-0.5 -bottom-0.5 size-2 animate-pulse rounded-full border border-raised bg-good" aria-hidden />
      </span>
      <span className="min-w-0 flex-1 rail:sr-only">
        <span className="block truncate">{title}</span>
        <span className="block truncate text-xs text-soft">
          {way === 'board' ? agent : way} · <Elapsed since={since} />
        </span>
      </span>
    </Link>
  )
}
