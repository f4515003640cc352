import { HIDDEN_CHARACTER } from '../text/hidden-character.ts'
import { isRecord } from '../text/unknown-value.ts'
import type { Context } from './condition.ts'
import type { Step } from './workflow.ts'

/** A place in a text that is filled from the context: `{{name}}`, or `{{name.part}}` for a part of it. */
const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/g

/** The paths of all placeholders of a text, each once. */
export function placeholdersIn(text: string): string[] {
  return text.includes('{{') ? [...new Set([...text.matchAll(PLACEHOLDER)].map(([, path = '']) => path))] : []
}

/** A text with each placeholder replaced by what is given for its path; one for which nothing is given stays as it is written. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  if (!text.includes('{{')) return text
  return text.replaceAll(PLACEHOLDER, (whole, path: string) => (Object.hasOwn(values, path) ? (values[path] ?? whole) : whole))
}

/** What the texts of a step show of a value. It is data: one line, of bounded length, with nothing that a reader would not see. */
const SHOWN_CHARS = 2_000

/** What is known for the placeholders of a step; a path for which nothing is known is left out. */
export function valuesFor(step: Step, loopTitle: string, known: Context): Record<string, string> {
  const places = placesOf(step, loopTitle)
  return Object.fromEntries(places.flatMap((path) => shownAt(known, path).map((shown) => [path, shown])))
}

const places = new WeakMap<Step, Map<string, readonly string[]>>()

/** The paths a step has placeholders for. Looked for once: most steps have none, and every call would pay for it. */
export function placesOf(step: Step, loopTitle: string): readonly string[] {
  const known = places.get(step) ?? new Map<string, readonly string[]>()
  const had = known.get(loopTitle)
  if (had !== undefined) return had
  const { title, prompt, agentRole = '', guidance = [] } = step
  const found = placeholdersIn([title, loopTitle, prompt, agentRole, ...guidance].join('\n'))
  places.set(step, known.set(loopTitle, found))
  return found
}

/** A step with its placeholders filled. */
export function filledStep(step: Step, values: Readonly<Record<string, string>>): Step {
  const fill = (text: string) => fillPlaceholders(text, values)
  return {
    ...step,
    title: fill(step.title),
    prompt: fill(step.prompt),
    ...(step.agentRole !== undefined && { agentRole: fill(step.agentRole) }),
    ...(step.guidance !== undefined && { guidance: step.guidance.map(fill) }),
  }
}

function shownAt(known: Context, path: string): string[] {
  let value: unknown = known
  for (const part of path.split('.')) {
    if (Array.isArray(value)) value = value[Number(part)]
    else if (isRecord(value) && Object.hasOwn(value, part)) value = value[part]
    else return []
  }
  if (value === undefined || value === null) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const line = text.replaceAll(/\s*[\r\n]+\s*/g, ' ').replaceAll(new RegExp(HIDDEN_CHARACTER, 'gu'), '\ufffd')
  return [line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line]
}
