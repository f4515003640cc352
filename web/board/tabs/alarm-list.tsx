import { BellRing } from 'lucide-react'
import type { AlarmView } from '../views.ts'
import { counted } from '../../../src/domain/text/format.ts'
import { useClockedRead } from '../../api.ts'
import { Badge } from '../../ui/status/badge.tsx'
import { TaskRef } from '../task/task-ref.tsx'

const EVERY_MS = 10_000

/** What a person should look at now. Most alarms come by the clock: an agent falls silent without saying so. */
export function AlarmList({ boardId }: { boardId: string }) {
  const found = useClockedRead('board.list_alarms', { board: boardId }, EVERY_MS)
  if (found.data === undefined || found.data.count === 0) return null
  const { alarms, count } = found.data
  return (
    <details className="group rounded-xl border border-warn/40 bg-warn-wash text-warn">
      <summary className="flex cursor-pointer items-center gap-2 px-4 py-2.5">
        <BellRing size={16} className="shrink-0" aria-hidden />
        <strong className="shrink-0">{counted(count, 'alarm')}</strong>
        <span className="min-w-0 flex-1 truncate text-sm group-open:invisible">{alarms.slice(0, 3).map(sentence).join(' · ')}</span>
        <span className="shrink-0 text-xs underline group-open:hidden">Show</span>
        <span className="hidden shrink-0 text-xs underline group-open:inline">Hide</span>
      </summary>
      <ul aria-label="Alarms" className="flex max-h-72 flex-col gap-1.5 overflow-y-auto px-4 pb-3 text-sm text-ink" tabIndex={0}>
        {alarms.map((alarm) => (
          <Alarm key={alarm.key} boardId={boardId} alarm={alarm} />
        ))}
        {count > alarms.length && <li className="text-soft">and {(count - alarms.length).toLocaleString()} more</li>}
      </ul>
    </details>
  )
}

function Alarm({ boardId, alarm: { alarm, task, agent, message } }: { boardId: string; alarm: AlarmView }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <Badge tone="warn">{alarm.toLowerCase()}</Badge>
      {task !== null && <TaskRef boardId={boardId} task={task} />}
      {agent !== null && <span className="font-mono text-xs">{agent}</span>}
      <span className="min-w-0">{withShortTimes(message)}</span>
    </li>
  )
}

function sentence({ alarm, task, message }: AlarmView): string {
  return `${[task, alarm.toLowerCase()].filter(Boolean).join(' ')}: ${withShortTimes(message)}`
}

/** A message made on the server names exact times; here a person reads them. */
function withShortTimes(message: string): string {
  return message.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) =>
    new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }),
  )
}
