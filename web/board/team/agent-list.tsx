import { UserX } from 'lucide-react'
import { useState } from 'react'
import type { BoardAgentView, BoardView } from '../views.ts'
import { counted, shortIds } from '../../../src/domain/text/format.ts'
import { usePerform, useRead } from '../../api.ts'
import { RoleBadge } from '../../roles/role-badge.tsx'
import { Badge, type Tone } from '../../ui/status/badge.tsx'
import { Button } from '../../ui/form/button.tsx'
import { EmptyState } from '../../ui/status/notice.tsx'
import { WordsDialog } from '../../ui/form/words-dialog.tsx'
import { Ago, LeaseAge, StoreClock } from '../clock.tsx'
import { PastAgents } from './past-agents.tsx'
import { TeamCommand } from './team-command.tsx'
import { RunLink } from '../../trace/run-link.tsx'
import { TaskRef } from '../task/task-ref.tsx'

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
      <div className="flex flex-col gap-6">
        {board.goal.status === 'IN_PROGRESS' ? (
          <EmptyState title="No agent is at this board" action={<TeamCommand board={board} />}>
            Start a team in a terminal, or a single agent with <code className="font-mono">troupe agent coder</code>.
          </EmptyState>
        ) : (
          <EmptyState title={board.goal.status === 'COMPLETED' ? 'The goal is reached' : 'The goal was given up'}>
            No agent is left at this board.
          </EmptyState>
        )}
        <PastAgents boardId={board.id} />
      </div>
    )
  }
  return (
    <StoreClock readAt={board.now}>
      <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {board.agents.toSorted(byNumber).map((agent) => (
          <Agent key={agent.id} board={board} agent={agent} />
        ))}
      </ul>
    </StoreClock>
  )
}

/** coder-2 before coder-10. */
function byNumber(one: BoardAgentView, other: BoardAgentView): number {
  return one.id.localeCompare(other.id, 'en', { numeric: true })
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
          <span className="text-soft">no task</span>
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
      <div className="mt-auto flex flex-wrap items-center gap-x-3 text-xs text-soft">
        <LeaseAge expires={agent.lease_expires} duration={board.config.lease_duration} />
        {agent.iterations_total > 0 && <span>{counted(agent.iterations_total, 'iteration')}</span>}
        {agent.context_percent > 0 && <span>context {agent.context_percent}% full</span>}
        {agent.terminal !== 'unknown' && <span>{agent.terminal}</span>}
        <AtWork board={board} agent={agent} />
        <FreeAgent board={board} agent={agent} />
      </div>
    </li>
  )
}

/** The way to what an agent does at this moment. */
function AtWork({ board, agent }: { board: BoardView; agent: BoardAgentView }) {
  const running = useRead('system.list_running', {}).data?.running ?? []
  const run = running.find(({ way, id }) => way === 'board' && id === `${board.id}/${agent.id}`)?.run_id ?? null
  return run === null ? null : <RunLink run={run}>Watch</RunLink>
}

/** Frees the id of an agent whose process is gone. While its lease runs only a person can know that, so they say why. */
function FreeAgent({ board, agent }: { board: BoardView; agent: BoardAgentView }) {
  const [asking, setAsking] = useState(false)
  const free = usePerform('board.free_agent')
  const alive = Date.parse(agent.lease_expires) > Date.parse(board.now)
  const close = () => setAsking(false)
  return (
    <>
      <Button small className="ml-auto" icon={UserX} onClick={() => setAsking(true)}>
        Free this id
      </Button>
      {asking && (
        <WordsDialog
          title={`Free ${agent.id}`}
          about={
            alive
              ? 'Its lease still runs. Free the id only if its process is gone: what it holds goes back to the board, and if it is alive it loses its work.'
              : 'Its lease has run out. What it holds goes back to the board, and its id can be used again.'
          }
          label="Reason"
          act="Free"
          look="danger"
          needed={alive}
          change={free}
          onAct={(reason) => free.mutate({ board: board.id, agent: agent.id, force: alive, reason }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  )
}
