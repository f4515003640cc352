import type { Plan } from '../../src/domain/plan.ts'

interface Change {
  kind: 'same' | 'added' | 'removed'
  text: string
}

const looks = { same: 'text-soft', added: 'bg-good-wash text-good', removed: 'bg-danger-wash text-danger line-through' } as const
const words = { same: '', added: 'added: ', removed: 'removed: ' } as const
const signs = { same: '', added: '+', removed: '−' } as const

/** What a version changed against the one before it, line by line. */
export function PlanChanges({ before, after }: { before: Plan; after: Plan }) {
  return (
    <ul aria-label={`Changes from version ${before.version} to ${after.version}`} className="flex flex-col gap-1 text-sm">
      {changes(lines(before), lines(after)).map((change, index) => (
        <li key={index} className={`flex gap-2 rounded px-2 py-0.5 ${looks[change.kind]}`}>
          <span className="w-3 shrink-0 font-mono no-underline" aria-hidden>
            {signs[change.kind]}
          </span>
          <span className="min-w-0">
            <span className="sr-only">{words[change.kind]}</span>
            {change.text}
          </span>
        </li>
      ))}
    </ul>
  )
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

/** Longest common subsequence; plans have tens of lines, so the plain table is quick enough. */
function changes(before: readonly string[], after: readonly string[]): Change[] {
  const common = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = common[i]
      if (row) row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const found: Change[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const [left, right] = [before[i], after[j]]
    if (left !== undefined && left === right) {
      found.push({ kind: 'same', text: left })
      i++
      j++
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ kind: 'removed', text: left })
      i++
    } else if (right !== undefined) {
      found.push({ kind: 'added', text: right })
      j++
    }
  }
  return found
}
