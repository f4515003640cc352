import { isRecord } from '../domain/text/unknown-value.ts'

/** Words that stand for an empty list where a model wrote a text. */
const NOTHING = new Set(['', '-', 'none', 'n/a', 'na', 'nothing'])

/** A plan where the meaning is certain: nothing for null, a list for a single word, text for a number, steps counted from the first. */
export function repairedPlan(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { steps } = value
  return {
    ...value,
    ...(Array.isArray(steps) && { steps: numbered(steps.map(repairedStep)) }),
    estimated_total_time: asText(value['estimated_total_time']),
    risks: asList(value['risks']),
    prerequisites: asList(value['prerequisites']),
  }
}

function repairedStep(step: unknown): unknown {
  if (typeof step === 'string') return { action: step }
  if (!isRecord(step)) return step
  return {
    ...step,
    step_number: typeof step['step_number'] === 'string' ? Number(step['step_number']) : step['step_number'],
    reason: asText(step['reason']),
    tools_needed: asList(step['tools_needed']),
    estimated_time: asText(step['estimated_time']),
  }
}

/** Steps that have no number, share one, or are counted from zero, are counted from the first. */
function numbered(steps: readonly unknown[]): unknown[] {
  const numbers = new Set(steps.map((step) => (isRecord(step) ? step['step_number'] : undefined)))
  const good = numbers.size === steps.length && [...numbers].every((number) => Number.isInteger(number) && Number(number) > 0)
  return good ? [...steps] : steps.map((step, at) => (isRecord(step) ? { ...step, step_number: at + 1 } : step))
}

/** A question where the meaning is certain: "Critical" for critical, nothing for null, text for a number, an option for a single word. */
export function repairedQuestion(value: unknown): unknown {
  if (!isRecord(value)) return value
  const options = Array.isArray(value['options']) ? value['options'].map(repairedOption) : value['options']
  return {
    ...value,
    type: 'question',
    context: asText(value['context']),
    severity: typeof value['severity'] === 'string' ? value['severity'].trim().toLowerCase() : value['severity'],
    options,
    default: meantOption(options, value['default']),
  }
}

function repairedOption(option: unknown): unknown {
  if (typeof option === 'string' || typeof option === 'number') return { label: String(option), value: String(option) }
  if (!isRecord(option)) return option
  const [label, value] = [asText(option['label']), asText(option['value'])]
  return { ...option, label: label ?? value, value: value ?? label, description: asText(option['description']) }
}

/** The value of the one option that a default names, by its value or its label in any case; as it is where it names none. */
function meantOption(options: unknown, wanted: unknown): unknown {
  const named = asText(wanted)
  if (typeof named !== 'string' || !Array.isArray(options)) return named
  const values = options.filter(isRecord).map(({ label, value }) => ({ names: [value, label].map(lower), value }))
  if (values.some(({ value }) => value === named)) return named
  const [meant, ...others] = values.filter(({ names }) => names.includes(lower(named)))
  return meant !== undefined && others.length === 0 ? meant.value : named
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value
}

function asText(value: unknown): unknown {
  if (value === null) return undefined
  return typeof value === 'number' ? String(value) : value
}

function asList(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value === 'string') return NOTHING.has(value.trim().toLowerCase()) ? [] : [value]
  return Array.isArray(value) ? value.filter((item) => item !== null).map(asText) : value
}
