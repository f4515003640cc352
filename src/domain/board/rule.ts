import * as z from 'zod'
import { isRecord } from '../text/unknown-value.ts'

/** A rule that a board breaks, and where. A warning leaves it valid. */
export type Violation = z.infer<typeof Violation>
export const Violation = z.object({
  rule: z.int(),
  subject: z.string(),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
})

/** A rule that is broken. */
export function violation(rule: number, subject: string, message: string): Violation {
  return { rule, subject, message, severity: 'error' }
}

/** What the validator has to know beyond the document. */
export interface BoardFacts {
  now: Date
  /** Whether a spec file is in the project; null when that is not to be checked. */
  specExists: ((path: string) => boolean) | null
  /** Whether a folder of the project is there; null when that is not to be checked. */
  folderExists: ((path: string) => boolean) | null
}

export type Loose = Record<string, unknown>

/** A board as somebody wrote it: nothing in it can be relied on. */
export interface LooseState {
  fields: Loose
  tasks: Loose[]
  agents: Loose[]
}

/** One rule about one kind of entry: what is wrong with it, or nothing. */
export type BoardRule = readonly [rule: number, says: (entry: Loose) => string | null | false]

export function asFields(value: unknown): Loose | null {
  return isRecord(value) ? value : null
}

/** The entries of a section; what is no entry is left out. */
export function entriesIn(section: unknown): Loose[] {
  return Array.isArray(section) ? section.filter(isRecord) : []
}

/** There, and not empty. */
export function hasValue(entry: Loose, field: string): boolean {
  const value = entry[field]
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

export function textField(entry: Loose, field: string): string {
  const value = entry[field]
  return typeof value === 'string' ? value : ''
}

export function textsField(entry: Loose, field: string): string[] {
  const value = entry[field]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Holds every rule against every entry. */
export function applyRules(entries: readonly Loose[], rules: readonly BoardRule[]): Violation[] {
  return entries.flatMap((entry) =>
    rules.flatMap(([rule, says]): Violation[] => {
      const message = says(entry)
      return typeof message === 'string' ? [violation(rule, textField(entry, 'id') || '(no id)', message)] : []
    }),
  )
}
