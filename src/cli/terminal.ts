import { stripVTControlCharacters, styleText } from 'node:util'
import { showTextDirection } from '../domain/text/hidden-character.ts'
import { makeRoom } from './spinner.ts'
import { shellWord } from '../sandbox/process/shell-word.ts'

export type Style = Parameters<typeof styleText>[0]

/** Results go to stdout, because they may be piped on. Whatever they hold, they steer no terminal. */
export function print(text: string): void {
  makeRoom()
  process.stdout.write(`${tamed(text, process.stdout)}\n`)
}

/** A result that must arrive byte by byte where it is piped on, such as a patch. */
export function printExactly(text: string): void {
  if (process.stdout.isTTY) return print(text)
  process.stdout.write(`${text}\n`)
}

/** A result as JSON, two spaces deep so that a person can read it too. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value, 2)}\n`)
}

/** A result: as JSON where that is wanted, else as a person reads it. */
export function printResult(json: boolean | undefined, value: unknown, text: string): void {
  if (json) return printJson(value)
  print(text)
}

/** One of many results, as JSON in one line. */
export function printJsonLine(value: unknown): void {
  process.stdout.write(`${jsonText(value, 0)}\n`)
}

/** Everything that is not the result goes to stderr. */
export function say(text: string): void {
  makeRoom()
  process.stderr.write(`${tamed(text, process.stderr)}\n`)
}

/** JSON leaves the upper control characters and the marks that turn text as they are, and terminals obey them too. */
function jsonText(value: unknown, spaces: number): string {
  return JSON.stringify(value, null, spaces).replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Bold, dim and the plain colours, each alone, with their ends: what we paint with. No other is let through, one of them hides text. */
const colours = /(\u001b\[(?:[12]|22|3[1-69])m)/ // oxlint-disable-line no-control-regex -- a colour begins with a control character

/** Of all control sequences only such colours pass, and those only where there is colour. */
function tamed(text: string, stream: NodeJS.WriteStream): string {
  if (paint('bold', ' ', stream) === ' ') return shown(text)
  return text
    .split(colours)
    .map((part, at) => (at % 2 === 1 ? part : shown(part)))
    .join('')
}

/** Coloured only where the stream is a terminal and NO_COLOR is unset. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream })
}

/** Text from a model, a file or a person as it can be shown: what would steer a terminal or turn the text becomes a visible sign. */
export function shown(text: string): string {
  const straight = showTextDirection(text).replaceAll('\r\n', '\n')
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  return straight.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (sign) => {
    const code = sign.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
  })
}

/** The same in one line, so that nobody's words look like a line of ours. */
export function inLine(text: string): string {
  return shown(text).replaceAll('\n', '⏎')
}

/** The same in as many lines as it has, each after the first behind a bar. */
export function barred(text: string): string {
  return shown(text).replaceAll('\n', '\n   │ ')
}

/** A model's word in a command that we suggest: whoever copies it must not run something else. */
export function typed(word: string): string {
  return /^[\w.,:@%+=/-]+$/.test(word) ? word : shellWord(inLine(word))
}

/** Columns under each other, whatever their colour; the last one is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => seen(row[column] ?? '')))) ?? []
  const padded = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - seen(cell))
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
}

/** The same below a line that says what each of them is. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return columns([heads.map((head) => paint('dim', head)), ...rows])
}

function seen(text: string): number {
  return stripVTControlCharacters(text).length
}

/** Told where no key is set: a person must not take the rehearsal for a model. */
export const rehearsalNotice = 'No API key is set, so models are played by the rehearsal; set for example ANTHROPIC_API_KEY.'
