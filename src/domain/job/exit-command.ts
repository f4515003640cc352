import * as z from 'zod'
import { messageOf } from '../problem.ts'
import { jsonObjectsIn } from '../text/json-in-text.ts'
import { NonBlank } from '../text/fields.ts'
import { isRecord, quoted, valueAt } from '../text/unknown-value.ts'

/** What an agent may say of its own work. */
export const ExitAction = z.enum(['COMPLETED', 'STUCK', 'RETRY'])
export type ExitAction = z.infer<typeof ExitAction>

/** The last word of every agent in a job. Fields it does not know are passed over; those it needs are all required. */
export type ExitCommand = z.infer<typeof ExitCommand>
export const ExitCommand = z.object({
  action: ExitAction,
  evidence_files: z.array(z.string().min(1).max(4096)).max(1000),
  summary_for_supervisor: NonBlank.max(1000),
})

/** What was found in an answer: the command, or exactly what is wrong with it. */
export type ExitReading = { command: ExitCommand } | { error: string }

/** A long answer is first read at its end, where the command belongs: a log full of braces must neither hide it nor cost a minute. */
const LONGEST_LOOK = 1_000_000
const LOOK_AT_LAST = [2_000, 20_000, LONGEST_LOOK]

/**
 * The exit command of an answer: bare, fenced, wrapped in `response`, or with prose around it. Said twice, the last one counts;
 * two that disagree about the action are refused, because nobody can tell which is meant.
 */
export function readExitCommand(text: string): ExitReading {
  const looks = LOOK_AT_LAST.map((chars) => unwrappedIn(text.slice(-chars)))
  const command = looks.flatMap((objects) => commandsIn(objects).at(-1) ?? [])[0]
  if (command === undefined) return { error: faultIn(text.slice(-LONGEST_LOOK), looks.at(-1) ?? []) }
  const actions = [...new Set(looks.flatMap(commandsIn).map(({ action }) => action))]
  if (actions.length < 2) return { command }
  return { error: `the answer holds exit commands that contradict each other: ${actions.join(', ')}; give exactly one` }
}

const NO_OBJECT = 'there is no JSON object in the answer'

function unwrappedIn(text: string): unknown[] {
  return jsonObjectsIn(text).map((found) => unwrapped(found.value))
}

function commandsIn(objects: readonly unknown[]): ExitCommand[] {
  return objects.flatMap((object) => ExitCommand.safeParse(object).data ?? [])
}

function faultIn(text: string, objects: readonly unknown[]): string {
  const meant = objects.findLast(looksMeant) ?? objects.at(-1)
  return meant === undefined ? brokenIn(text) : faultsOf(meant)
}

/** A line break inside a string, or a comma too many, is not seen by the one who wrote it: the parser says where it is. */
function brokenIn(text: string): string {
  const named = text.lastIndexOf('"action"')
  const start = named === -1 ? -1 : text.lastIndexOf('{', named)
  if (start === -1) return NO_OBJECT
  try {
    JSON.parse(text.slice(start, text.lastIndexOf('}') + 1))
    return NO_OBJECT
  } catch (error) {
    return `the JSON object in the answer is broken: ${messageOf(error)}`
  }
}

/** The published exchange wraps the command in `response`; the history lists its action under `actions`. */
function unwrapped(value: unknown): unknown {
  const inner = isRecord(value) && isRecord(value['response']) ? value['response'] : value
  if (!isRecord(inner) || inner['action'] !== undefined || !Array.isArray(inner['actions']) || inner['actions'].length !== 1) return inner
  const [action]: unknown[] = inner['actions']
  return { ...inner, action }
}

function looksMeant(object: unknown): boolean {
  return isRecord(object) && Object.keys(ExitCommand.shape).some((field) => field in object)
}

function faultsOf(object: unknown): string {
  const issues = ExitCommand.safeParse(object).error?.issues ?? []
  return issues.map(({ path, message }) => `${path.join('.') || 'the object'}: ${sayWith(message, valueAt(object, path))}`).join('; ')
}

function sayWith(message: string, value: unknown): string {
  return value === undefined ? 'is missing' : `${message}, not ${quoted(value)}`
}
