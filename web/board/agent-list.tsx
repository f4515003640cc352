import type { BoardAgentView, BoardView } from '../../src/api/contract/board.ts'
import { counted } from '../../src/domain/text/counted.ts'
import { shortIds } from '../../src/domain/text/short-ids.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { EmptyState } from '../ui/notice.tsx'
import { Ago, LeaseAge, StoreClock } from './clock.tsx'
import { TeamCommand } from './team-command.tsx'
import { TaskRef } from './task-ref.tsx'

const tones: Record<BoardAgentView['status'], Tone> = {
  STARTING: 'neutral',
  IDLE: 'neutral',
  WORKING: 'accent',
  REVIEWING: 'warn',
  WAITING: 'neutral',
  HANDOFF: 'warn',
}

/** Who is there and what each does at this moment. */
export function AgentList({ board }: { board: BoardView }) {
  if (board.agents.length === 0) {
    return (
      <EmptyState title="No agent is at this board" action={<TeamCommand board={board} />}>
        Start a team in a terminal, or a single agent with <code className="font-mono">troupe agent coder</code>.
      </EmptyState>
    )
  }
  return (
    <StoreClock readAt={board.now}>
      <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {board.agents.map((agent) => (
          <Agent key={agent.id} board={board} agent={agent} />
        ))}
      </ul>
    </StoreClock>
  )
}

function Agent({ board, agent }: { board: BoardView; agent: BoardAgentView }) {
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="flex-1 font-mono text-sm font-semibold whitespace-nowrap">{agent.id}</h2>
        <RoleBadge id={agent.role} />
      </div>
      <p className="text-sm">
        <Badge tone={tones[agent.status]}>{agent.status.toLowerCase()}</Badge>{' '}
        {agent.current_task === null ? (
          <span className="text-soft">at no task</span>
        ) : (
          <>
            {agent.status === 'REVIEWING' ? 'reviews ' : 'at '}
            <TaskRef boardId={board.id} task={agent.current_task} />
          </>
        )}
        {agent.tool !== null && (
          <>
            {' '}
            with <code className="font-mono text-xs">{agent.tool}</code>
          </>
        )}
      </p>
      {agent.last !== null && (
        <p className="line-clamp-2 text-sm text-soft">
          {agent.last.action.replaceAll('_', ' ')}: {shortIds(agent.last.detail)} · <Ago at={agent.last.at} />
        </p>
      )}
      <p className="mt-auto flex flex-wrap gap-x-3 text-xs text-soft">
        <LeaseAge expires={agent.lease_expires} duration={board.config.lease_duration} />
        {agent.iterations_total > 0 && <span>{counted(agent.iterations_total, 'iteration')}</span>}
        {agent.context_percent > 0 && <span>context {agent.context_percent}% full</span>}
        {agent.terminal !== 'unknown' && <span>{agent.terminal}</span>}
      </p>
    </li>
  )
}
