import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Results go to stdout, because they may be piped on. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** A result as JSON, two spaces deep so that a person can read it too. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/** Everything that is not the result goes to stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Coloured only where the stream is a terminal and NO_COLOR is unset. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream })
}

/** Columns under each other; the last one is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(width(column)))).join('  ')
  return rows.map(line).join('\n')
}
