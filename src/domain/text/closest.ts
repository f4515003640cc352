/** The candidate most like a misspelt word, or null when none is near enough to be what was meant. */
export function closest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let least = Math.max(2, Math.floor(word.length / 2)) + 1
  for (const candidate of candidates) {
    const edits = distance(word.toLowerCase().slice(0, LOOK_AT), candidate.toLowerCase().slice(0, LOOK_AT))
    if (edits < least) [best, least] = [candidate, edits]
  }
  return best
}

/** Ids are short; a caller's megabyte of text must not cost a quadratic comparison. */
const LOOK_AT = 80

function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let at = 1; at <= from.length; at++) {
    const next = [at]
    for (let column = 1; column <= to.length; column++) {
      const change = (row[column - 1] ?? 0) + (from[at - 1] === to[column - 1] ? 0 : 1)
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
