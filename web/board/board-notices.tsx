import { CircleCheck, Flag, GitMerge, OctagonX, Pause, Play, Zap } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { BoardView } from './views.ts'
import { usePerform, useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { Moment } from '../ui/text/figures.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { AlarmList } from './tabs/alarm-list.tsx'
import { DiscoveryList } from './tabs/discovery-list.tsx'
import { StartTeam } from './team/start-team.tsx'
import { TeamCommand } from './team/team-command.tsx'

/** What stands still until a person does something: a signal, a breaker, a plan; and what should be looked at. */
export function BoardNotices({ board }: { board: BoardView }) {
  return (
    <>
      <SignalNotice board={board} />
      <BreakerNotice board={board} />
      <PlanNotice board={board} />
      <BehindNotice board={board} />
      <IdleNotice board={board} />
      <DoneNotice board={board} />
      {board.goal.status === 'IN_PROGRESS' && <DiscoveryList boardId={board.id} />}
      {board.goal.status === 'IN_PROGRESS' && <AlarmList boardId={board.id} />}
    </>
  )
}

const signs = {
  PAUSE: { icon: Pause, text: 'The team is paused' },
  CHECKPOINT: { icon: Flag, text: 'The team stands at a checkpoint and waits for your decision' },
  ABORT: { icon: OctagonX, text: 'This goal was aborted' },
} as const

function SignalNotice({ board }: { board: BoardView }) {
  const { signal } = board
  if (signal === null) return null
  const { icon: Icon, text } = signs[signal.name]
  return (
    <Notice icon={<Icon size={16} aria-hidden />}>
      <strong>{text}</strong>, by {signal.by}, <Moment at={signal.since} />
      {signal.message !== '' && `: ${signal.message}`}
    </Notice>
  )
}

function BreakerNotice({ board }: { board: BoardView }) {
  const trigger = board.circuit_breaker.current_trigger
  if (trigger === null) return null
  return (
    <Notice icon={<Zap size={16} aria-hidden />}>
      <strong>The circuit breaker tripped</strong>: {trigger.pattern} ({trigger.severity})
      {trigger.report_file !== null && <span className="font-mono"> {trigger.report_file}</span>}
    </Notice>
  )
}

function PlanNotice({ board }: { board: BoardView }) {
  const approve = usePerform('board.approve_plan')
  const waiting = board.waiting_for_approval
  if (waiting === 0 || board.goal.status !== 'IN_PROGRESS') return null
  return (
    <section aria-label="Plan approval" className="flex flex-col gap-2 rounded-xl border border-accent/40 bg-accent-wash px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-72">
          <strong>
            {waiting} planned {waiting === 1 ? 'task waits' : 'tasks wait'} for your approval.
          </strong>{' '}
          Read them below; nobody may claim them before you have approved the plan.
        </p>
        <Button look="primary" icon={CircleCheck} disabled={approve.isPending} onClick={() => approve.mutate({ board: board.id })}>
          Approve the plan
        </Button>
      </div>
      {approve.isError && <ErrorNote error={approve.error} />}
    </section>
  )
}

/** Work begins from an old text while the branch it is based on is not taken in. */
function BehindNotice({ board: { id, base, config } }: { board: BoardView }) {
  const sync = usePerform('board.sync')
  if (base === null || base.behind === 0) return null
  const { data } = sync
  return (
    <section
      aria-label="Base branch"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-surface px-4 py-3"
    >
      <p className="min-w-0 flex-1 basis-72">
        <strong>
          {config.integration_branch} is {base.behind} {base.behind === 1 ? 'commit' : 'commits'} behind {base.base_branch}.
        </strong>{' '}
        {data?.outcome === 'conflict'
          ? `Conflict in ${data.files.join(', ')}`
          : data?.outcome === 'held'
            ? data.reason
            : 'The next claim takes them in.'}
        {data?.outcome === 'conflict' && data.task !== null && `; a coder settles it in ${data.task}.`}
      </p>
      <Button icon={GitMerge} disabled={sync.isPending} onClick={() => sync.mutate({ board: id })}>
        Sync
      </Button>
      {sync.isError && <ErrorNote error={sync.error} />}
    </section>
  )
}

/** A goal that nobody is at looks like a team that is slow. */
function IdleNotice({ board }: { board: BoardView }) {
  const here = useRead('board.list', {}).data?.repository === board.root
  const { data: team } = useRead('board.view_team', { board: board.id })
  const [starting, setStarting] = useState(false)
  const { goal, signal, agents, now, waiting_for_approval: waiting } = board
  if (team === undefined) return null
  const someone = team.at_work || agents.some(({ lease_expires }) => lease_expires > now) // who died stays on the list until another comes
  if (goal.status !== 'IN_PROGRESS' || signal !== null || someone || waiting > 0) return null
  return (
    <section aria-label="Team" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-surface px-4 py-3">
      <p className="min-w-0 flex-1 basis-72">
        <strong>Nobody is at work on this goal.</strong> {team.ended !== null && `The last team has ended: ${team.ended}. `}
        {here ? 'From a terminal: ' : 'Start a team in a terminal: '}
        <TeamCommand board={board} />
      </p>
      {here && (
        <Button look="primary" icon={Play} onClick={() => setStarting(true)}>
          Start a team
        </Button>
      )}
      {starting && <StartTeam board={board} onClose={() => setStarting(false)} />}
    </section>
  )
}

/** The work lies where nobody looks by himself: the checkout is as it was. */
function DoneNotice({ board: { goal, config } }: { board: BoardView }) {
  if (goal.status !== 'COMPLETED') return null
  return (
    <p role="status" className="rounded-xl border border-good/40 bg-good-wash px-4 py-3">
      <strong>The goal is reached.</strong> What was merged is on the branch {config.integration_branch}; your checkout is as it was:{' '}
      <code className="font-mono select-all">git diff HEAD...{config.integration_branch}</code>
    </p>
  )
}

function Notice({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p role="status" className="flex items-start gap-2 rounded-xl border border-warn/40 bg-warn-wash px-4 py-3 text-warn">
      <span className="mt-0.5 shrink-0">{icon}</span>
      <span className="min-w-0">{children}</span>
    </p>
  )
}
