/** What a server sent, whatever it is. A schema for every event of a stream would cost more than everything else done with it. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; none of anything else. */
export function objectFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {} // any object has fields of unknown kinds
}

/** The items of a list; none of anything else. */
export function listItems(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text; an empty one in place of anything else. */
export function textValue(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A whole number that counts something; 0 in place of anything else. */
export function countValue(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
