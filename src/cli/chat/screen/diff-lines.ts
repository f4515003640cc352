import { paint, shown } from '../../terminal.ts'

const LINES_AT_MOST = 40

/** A change of a file as it is read: what went red, what came green, without the names of the file. */
export function diffLines(diff: string): string[] {
  const lines = shown(diff)
    .split('\n')
    .filter((line) => !/^(Index: |=+$|--- |\+\+\+ |\\ No newline)/.test(line))
  while (lines.at(-1) === '') lines.pop()
  const rest = lines.length - LINES_AT_MOST
  const some = rest > 1 ? [...lines.slice(0, LINES_AT_MOST), `… ${rest} more lines`] : lines
  return some.map((line) => {
    if (line.startsWith('+')) return paint('green', line)
    if (line.startsWith('-')) return paint('red', line)
    return /^(@@|…)/.test(line) ? paint('dim', line) : line
  })
}
