import type { TaskView } from './task-view.ts'
import { counted, durationText, shortIds } from '../../../src/domain/text/format.ts'
import { RoleBadge } from '../../roles/role-badge.tsx'
import { Badge } from '../../ui/status/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Moment, Money } from '../../ui/text/figures.tsx'
import { RunLink } from '../../trace/run-link.tsx'
import { detailsText } from './record-list.tsx'

/** What happened to a task, newest first, and the turns agents spent on it. */
export function TaskHistory({ view }: { view: TaskView }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="History">
        <ol className="flex flex-col gap-3">
          {view.task.history.toReversed().map((event, at) => (
            <li key={`${event.time} ${at}`} className="flex gap-3">
              <Moment at={event.time} className="w-14 shrink-0 text-xs leading-6 text-soft" />
              <div className="min-w-0 flex-1">
                <p>
                  <span className="font-medium">{event.event.replaceAll('_', ' ')}</span>{' '}
                  <span className="font-mono text-xs text-soft">{event.agent}</span>
                </p>
                <p className="text-sm whitespace-pre-wrap text-soft">{shortIds(aboutOf(event))}</p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
      <Runs view={view} />
    </div>
  )
}

function Runs({ view }: { view: TaskView }) {
  return (
    <Card title="Runs of agents">
      {view.runs.length === 0 && <p className="text-soft">No agent of Troupe has worked on it yet.</p>}
      <ul className="flex flex-col gap-2">
        {view.runs.map((run) => (
          <li key={run.id} className="flex flex-wrap items-center gap-2 text-sm">
            <RoleBadge id={run.agent_role} />
            <Badge>{run.status}</Badge>
            <span className="min-w-0 truncate font-mono text-xs text-soft">{run.model}</span>
            <span className="ml-auto flex gap-2 text-xs text-soft">
              <span>{counted(run.turns, 'turn')}</span>
              {run.ended_at !== null && <span>{durationText(Date.parse(run.ended_at) - Date.parse(run.started_at))}</span>}
              <Money spent={run.usage} />
              <RunLink run={run.id}>What it did</RunLink>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What an event says beyond when, what and who. */
function aboutOf({ time: _time, event: _event, agent: _agent, ...about }: TaskView['task']['history'][number]): string {
  return detailsText(about)
}
