/** The longest reply we look for JSON in; beyond it a reply is text. A model's 10 MB of braces must not cost us a minute. */
const LOOK_AT_MOST = 1_000_000

/** Each failed try costs a parse of what the brace holds; deeply nested nonsense would make that quadratic. */
const FAILED_TRIES_AT_MOST = 500

/** A place in a text, up to but without its end. */
export interface Span {
  start: number
  end: number
}

export interface FoundJson extends Span {
  value: unknown
}

/**
 * Every outermost JSON object in a text, fenced or bare, in order.
 * Quoted braces are skipped; a brace that opens no valid object is passed over and what it holds is looked at.
 * `parse` gives undefined for what it cannot read.
 */
export function jsonObjectsIn(text: string, parse: (text: string) => unknown = parsedJson): FoundJson[] {
  if (text.length > LOOK_AT_MOST) return []
  const found: FoundJson[] = []
  const ends = matchingBraces(text)
  let failed = 0
  for (let at = text.indexOf('{'); at !== -1 && failed < FAILED_TRIES_AT_MOST; at = text.indexOf('{', at)) {
    const end = ends.get(at)
    const value = end === undefined ? undefined : parse(text.slice(at, end))
    if (value === undefined || end === undefined) {
      at += 1
      failed += 1
      continue
    }
    found.push({ value, start: at, end })
    at = end
  }
  return found
}

/** A text without these parts of it, which come in order, and without the fences that held them. */
export function withoutSpans(text: string, spans: readonly Span[]): string {
  let rest = text
  let last: number | null = null
  for (const { start, end } of spans.toReversed()) {
    if (start === last) continue // one block may hold several
    last = start
    rest = `${rest.slice(0, start).replace(/```\w*\s*$/, '')}${rest.slice(end).replace(/^\s*```/, '')}`
  }
  return rest
}

/** For each opening brace the place after its partner, found in one pass so that deep nesting stays linear. */
function matchingBraces(text: string): Map<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quoted && char === '\\') at += 1
    else if (char === '"' && open.length > 0) quoted = !quoted
    else if (quoted && char === '\n') quoted = false // a JSON string never spans lines: this quote was prose
    else if (!quoted && char === '{') open.push(at)
    else if (!quoted && char === '}') {
      const start = open.pop()
      if (start !== undefined) ends.set(start, at + 1)
    }
  }
  return ends
}

/** What a text says as JSON, or nothing where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // every caller has an answer of its own to that
  }
}
