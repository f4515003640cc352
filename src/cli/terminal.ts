import { stripVTControlCharacters, styleText } from 'node:util'

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

/** Text from a model, a file or a person as it can be shown: control characters become visible signs and steer no terminal. */
export function shown(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (sign) => {
    const code = sign.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
  })
}

/** Columns under each other, whatever their colour; the last one is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => seen(row[column] ?? '')))) ?? []
  const padded = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - seen(cell))
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
}

function seen(text: string): number {
  return stripVTControlCharacters(text).length
}
