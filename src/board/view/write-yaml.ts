import { isRecord } from '../../domain/text/unknown-value.ts'

/**
 * A map or list of plain JSON as YAML for people to read: maps and lists in blocks, long texts as they are, everything else on its line.
 * A library that can read and keep any YAML takes seconds for a board of thousands of tasks; this needs only one way to write.
 */
export function toYaml(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return value.length === 0 ? `${indent}[]\n` : value.map((item) => listItem(item, indent)).join('')
  if (isRecord(value)) return isEmpty(value) ? `${indent}{}\n` : mapLines(value, indent)
  return `${indent}${scalar(value, indent)}\n`
}

/** One item of a list; its first line begins with the dash. */
function listItem(item: unknown, indent: string): string {
  const inner = `${indent}  `
  if (isBlock(item)) return `${indent}- ${toYaml(item, inner).slice(inner.length)}`
  return `${indent}- ${isCollection(item) ? empty(item) : scalar(item, inner)}\n`
}

function mapLines(map: Record<string, unknown>, indent: string): string {
  let lines = ''
  for (const [key, value] of Object.entries(map)) {
    if (value === undefined) continue
    lines += isBlock(value)
      ? `${indent}${text(key)}:\n${toYaml(value, `${indent}  `)}`
      : `${indent}${text(key)}: ${isCollection(value) ? empty(value) : scalar(value, `${indent}  `)}\n`
  }
  return lines
}

function scalar(value: unknown, indent: string): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null'
  return isProse(value) ? prose(value, indent) : text(value)
}

/** Words that mean something else to some reader of YAML, numbers and dates, and marks with a meaning are put in quotation marks. */
const plain = /^[A-Za-z_][\w/.@+*()-]*(?:[ ,;][\w/.@+*()'";=<>-]+)*$/
const taken = /^(?:true|false|null|yes|no|on|off|y|n|\.nan|\.inf)$/i
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

function text(value: string): string {
  if ((plain.test(value) && !taken.test(value)) || stamp.test(value)) return value
  // JSON allows these in a text and YAML does not.
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Several lines that a reader would give back letter by letter: nothing invisible, and no blanks where they mean something. */
function isProse(value: string): boolean {
  return value.includes('\n') && !/^[\s]|[^\S\n]$|[^\S\n]\n|[^\n\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff]/.test(value)
}

function prose(value: string, indent: string): string {
  const ended = /\n*$/.exec(value)?.[0].length ?? 0
  const mark = ended === 0 ? '|-' : ended === 1 ? '|' : '|+'
  const lines = (ended === 0 ? value : value.slice(0, -1)).split('\n')
  return [mark, ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))].join('\n')
}

function isCollection(value: unknown): value is unknown[] | Record<string, unknown> {
  return Array.isArray(value) || isRecord(value)
}

function isEmpty(value: unknown[] | Record<string, unknown>): boolean {
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every((field) => field === undefined)
}

function isBlock(value: unknown): value is unknown[] | Record<string, unknown> {
  return isCollection(value) && !isEmpty(value)
}

function empty(value: unknown[] | Record<string, unknown>): string {
  return Array.isArray(value) ? '[]' : '{}'
}
