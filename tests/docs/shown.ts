/** Why what was shown is not what the page says, or null. `…` stands for anything, and alone on a line for any lines. */
export function difference(wanted: readonly string[], shown: string): string | null {
  const expected = trimmed(wanted)
  if (expected.length === 0) return null
  const lines = trimmed(shown.split('\n'))
  if (new RegExp(`^${expected.map(pattern).join('')}$`).test(lines.map((line) => `${tidy(line)}\n`).join(''))) return null
  return `the page says\n${quoted(expected)}\nbut the terminal shows\n${quoted(lines)}`
}

function pattern(line: string): string {
  if (line.trim() === '…') return '(?:.*\\n)*'
  return `${tidy(line).split('…').map(escaped).join('.*')}\\n`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Columns are as wide as what is in them, and a port that is taken elsewhere is not the page's business. */
function tidy(line: string): string {
  return line
    .trimEnd()
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4747')
}

function trimmed(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return lines.slice(0, last + 1)
}

function quoted(lines: readonly string[]): string {
  return lines.map((line) => `  | ${line}`).join('\n')
}
