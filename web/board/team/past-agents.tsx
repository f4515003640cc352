import { AgentId } from '../../../src/domain/board/agent.ts'
import { shortIds } from '../../../src/domain/text/format.ts'
import { useRead } from '../../api.ts'
import { Moment } from '../../ui/text/figures.tsx'

const LINES = 2_000

/** The agents that left the board, each with what it did last. */
export function PastAgents({ boardId }: { boardId: string }) {
  const log = useRead('board.list_activity', { board: boardId, limit: LINES })
  const said = (log.data?.lines ?? []).filter(({ agent }) => AgentId.safeParse(agent).success)
  const last = [...new Map(said.map((line) => [line.agent, line])).values()]
  if (last.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">Who worked on it</h2>
      <ul aria-label="Who worked on it" className="divide-y divide-line rounded-xl border border-line bg-surface text-sm">
        {last
          .toSorted((one, other) => one.agent.localeCompare(other.agent, 'en', { numeric: true }))
          .map((line) => (
            <li key={line.agent} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
              <span className="shrink-0 font-mono text-xs sm:w-32">{line.agent}</span>
              <span className="min-w-0 flex-1 basis-60 text-soft">
                {line.action.replaceAll('_', ' ')}: {shortIds(line.detail)}
              </span>
              <Moment at={line.timestamp} className="text-xs text-soft" />
            </li>
          ))}
      </ul>
    </section>
  )
}
