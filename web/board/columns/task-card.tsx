import { GitBranch, Repeat } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'wouter'
import type { TaskCard } from '../views.ts'
import { Badge } from '../../ui/status/badge.tsx'
import { Money } from '../../ui/text/figures.tsx'
import { AnswerForm } from '../task/answer-form.tsx'
import { Ago } from '../clock.tsx'
import { Holder } from '../task/holder.tsx'

/** A task on the board. A card that is out of sight is not laid out, so a long column costs nothing. */
export const TaskCardView = memo(function TaskCardView({
  boardId,
  card,
  leaseDuration,
}: {
  boardId: string
  card: TaskCard
  leaseDuration: number
}) {
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3 [contain-intrinsic-size:auto_9.5rem] [content-visibility:auto]">
      <div className="flex items-center justify-between gap-2 text-xs text-soft">
        <span className="truncate font-mono">{card.id}</span>
        <span className="flex shrink-0 items-center gap-1">
          {card.sprint === 'stretch' && <Badge title="Beyond the plan of the sprint">stretch</Badge>}
          {card.kind !== 'code' && <Badge>{card.kind}</Badge>}
          <Badge title="Priority; 1 comes first">P{card.priority}</Badge>
        </span>
      </div>
      <Link href={`/board/${boardId}/task/${card.id}`} className="line-clamp-3 font-medium hover:text-accent hover:underline">
        {card.title}
      </Link>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-soft empty:hidden">
        <Holder task={card} leaseDuration={leaseDuration} />
      </p>
      {card.assigned_to === null && <Waiting card={card} />}
      {card.status === 'BLOCKED' && <AnswerForm boardId={boardId} task={card} />}
      <Foot card={card} />
    </li>
  )
})

/** Why nobody has it yet. */
function Waiting({ card }: { card: TaskCard }) {
  if (card.status !== 'UNCLAIMED') return null
  if (card.plan_approved_by === null) return <p className="text-xs text-warn">waits for your approval of the plan</p>
  if (card.unmet === 0) return <p className="text-xs text-good">Ready</p>
  return (
    <p className="flex items-center gap-1 text-xs text-soft">
      <GitBranch size={12} aria-hidden />
      waits for {card.depends_on.slice(0, 3).join(', ')}
      {card.depends_on.length > 3 && ` and ${card.depends_on.length - 3} more`}
    </p>
  )
}

function Foot({ card }: { card: TaskCard }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-xs text-soft">
      {card.iteration !== null && (
        <span className="inline-flex items-center gap-1" title="Iteration: how often a coder has begun">
          <Repeat size={12} aria-hidden />
          iteration {card.iteration}
        </span>
      )}
      {card.review_cycles_current > 0 && <span className="text-danger">{card.review_cycles_current} × rejected</span>}
      {card.iteration !== null && <Money spent={card} />}
      <span className="ml-auto">
        <Ago at={card.changed_at} />
      </span>
    </p>
  )
}
