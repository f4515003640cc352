import { diffArrays } from 'diff'
import type { Plan } from '../../src/domain/plan.ts'

const looks = { same: 'text-soft', added: 'bg-good-wash text-good', removed: 'bg-danger-wash text-danger line-through' } as const
const words = { same: '', added: 'added: ', removed: 'removed: ' } as const
const signs = { same: '', added: '+', removed: '−' } as const

/** What a version changed against the one before it, line by line. */
export function PlanChanges({ before, after }: { before: Plan; after: Plan }) {
  return (
    <ul aria-label={`Changes from version ${before.version} to ${after.version}`} className="flex flex-col gap-1 text-sm">
      {changes(before, after).map(({ kind, text }, index) => (
        <li key={index} className={`flex gap-2 rounded px-2 py-0.5 ${looks[kind]}`}>
          <span className="w-3 shrink-0 font-mono no-underline" aria-hidden>
            {signs[kind]}
          </span>
          <span className="min-w-0">
            <span className="sr-only">{words[kind]}</span>
            {text}
          </span>
        </li>
      ))}
    </ul>
  )
}

function changes(before: Plan, after: Plan) {
  return diffArrays(lines(before), lines(after)).flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value.map((text) => ({ kind, text }) as const)
  })
}

function lines({ content }: Plan): string[] {
  return [
    `Goal: ${content.goal}`,
    ...content.steps.map(
      (step) =>
        `Step: ${step.action}${step.reason === '' ? '' : ` (${step.reason})`}${step.tools_needed.length === 0 ? '' : ` [${step.tools_needed.join(', ')}]`}`,
    ),
    ...content.prerequisites.map((text) => `Prerequisite: ${text}`),
    ...content.risks.map((text) => `Risk: ${text}`),
    ...(content.estimated_total_time === '' ? [] : [`Estimated: ${content.estimated_total_time}`]),
  ]
}
