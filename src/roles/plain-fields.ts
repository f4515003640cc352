import type { Located } from './locate.ts'

/** `key: value`, or a key alone and below it a list of maps, one a line. */
const FIELD = /([a-z][a-z_]*):(?: (.+)\n|\n((?: {2}- \{.*\}\n)+))/gy

/** What YAML takes for text without quotes, kept narrow: letters and a few signs. */
const TEXT = /^[A-Za-z][\w ,.;'()/-]*(?<! )$/

/** Words that YAML does not take for text. */
const NO_TEXT = /^(true|false|null|\.inf|\.nan|\.\d.*)$/i

/**
 * Reads front matter in the plain form that role files usually have, or gives null for any other, which the YAML parser then reads.
 * Loading that parser costs a start more than reading every role; what is read here means the same to it.
 */
export function readPlainFields(text: string, firstLine: number): Located | null {
  const found = [...text.matchAll(FIELD)]
  if (found.reduce((length, [whole]) => length + whole.length, 0) !== text.length) return null
  const fields: Record<string, unknown> = {}
  const places = new Map<unknown, { line: number; listed: boolean }>()
  let line = firstLine
  for (const [whole, key = '', value = '', items] of found) {
    const read = items === undefined ? plainValue(value) : listOf(items)
    if (read === undefined || Object.hasOwn(fields, key)) return null
    fields[key] = read
    places.set(key, { line, listed: items !== undefined })
    line += whole.split('\n').length - 1
  }
  return { value: fields, lineOf: ([key, index]) => lineIn(places.get(key), index) ?? firstLine }
}

function lineIn(place: { line: number; listed: boolean } | undefined, index: PropertyKey | undefined): number | undefined {
  return place?.listed === true && typeof index === 'number' ? place.line + 1 + index : place?.line
}

function listOf(items: string): unknown[] | undefined {
  const read = items
    .trimEnd()
    .split('\n')
    .map((item) => flowValue(item.slice('  - '.length)))
  return read.includes(undefined) ? undefined : read
}

function plainValue(value: string): unknown {
  if (/^[[{]/.test(value)) return flowValue(value)
  return TEXT.test(value) && !NO_TEXT.test(value) ? value : undefined
}

/** `{ path: README.md }` becomes JSON by quoting its words; what then is no JSON, or has a key twice, is left to the parser. */
function flowValue(text: string): unknown {
  if (!/^[\w. /{}[\],:-]+$/.test(text) || /:(?! )/.test(text)) return undefined
  const words = text.match(WORD) ?? []
  if (words.some((word) => NO_TEXT.test(word.trimEnd()))) return undefined
  try {
    const value: unknown = JSON.parse(text.replace(WORD, (word) => JSON.stringify(word.trimEnd())))
    return keysIn(value) === text.split(':').length - 1 ? value : undefined
  } catch {
    return undefined // the parser will say what it is
  }
}

const WORD = /[A-Za-z.][\w. /-]*/g

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value).reduce((sum: number, part) => sum + keysIn(part), 0)
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length)
}
