import { ListChecks } from 'lucide-react'
import type { ChatView } from '../../src/api/contract/chat.ts'
import { ProgressBar } from '../ui/figures.tsx'

/** How far the plan in force has come, in sight wherever the reader is; the card itself scrolls away while the work grows. */
export function PlanStrip({ chat }: { chat: ChatView }) {
  const plan = chat.plans.findLast(({ status }) => status === 'approved')
  if (plan === undefined) return null
  const { steps } = plan.content
  const numbersOf = (wanted: string) => chat.step_progress.flatMap(({ step_number, status }) => (status === wanted ? [step_number] : []))
  const done = numbersOf('done').length
  const active = steps.find(({ step_number }) => numbersOf('active').includes(step_number))
  return (
    <div className="border-b border-line bg-surface py-1.5 text-xs">
      <div className="mx-auto flex max-w-3xl items-center gap-3 px-3 sm:px-5">
        <ListChecks size={14} className="shrink-0 text-soft" aria-hidden />
        <span className="min-w-0 flex-1 truncate">
          {active === undefined ? plan.content.goal : `Step ${active.step_number} of ${steps.length}: ${active.action}`}
        </span>
        <div className="w-28 shrink-0 sm:w-40">
          <ProgressBar done={done} of={steps.length} label={`Plan in force: ${done} of ${steps.length} steps`} />
        </div>
      </div>
    </div>
  )
}
