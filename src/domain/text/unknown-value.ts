import { parsedJson } from './json-in-text.ts'
import { shorten } from './format.ts'

/** An object with fields of unknown kinds; a list is none. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Deeper than anything people write; beyond it a value could exhaust the stack, or the store, of the one who takes it. */
export const MAX_DEPTH = 64

/** Whether objects and lists are nested deeper than anybody should have to follow. */
export function isDeeper(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** What a path leads to inside a value, or nothing where it leads nowhere. */
export function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), whole)
}

/** A value as a message may quote it. */
export function quoted(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'nothing', 80)
}

/** An object without the fields whose value is undefined: those were left out. */
export function definedOnly<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T> // by the filter before it
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** A change laid over what is in force: of an object inside an object, too, what is not named stays. */
export function layered(before: Readonly<Record<string, unknown>>, change: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const changed = Object.entries(change).map(([key, value]) => {
    const was = before[key]
    return [key, isRecord(was) && isRecord(value) ? layered(was, value) : value]
  })
  return { ...before, ...Object.fromEntries(changed) }
}

/** A person types `3`, `true` or `["a"]` where they mean the value, and a plain word where they mean the word. */
export function typedValue(text: string): unknown {
  const value = parsedJson(text)
  return value === undefined ? text.trim() : value
}
