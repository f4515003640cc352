import type { Document, LineCounter } from 'yaml'
import { messageOf } from '../domain/problem.ts'
import { MAX_DEPTH } from '../domain/text/unknown-value.ts'
import { FAULTS_AT_MOST, show, visible, type RoleFault } from './fault.ts'

type Yaml = typeof import('yaml')
type Path = readonly PropertyKey[]

/** The library's own check for doubled keys compares each with each, which a wide file turns into seconds; `doubledKeys` is ours. */
const READING = { logLevel: 'silent', prettyErrors: false, stringKeys: true, uniqueKeys: false } as const

/** A value read from text, with the line each part of it is on. */
export interface Located {
  value: unknown
  lineOf: (path: Path) => number
}

/** Parses YAML and keeps the lines; `firstLine` is where the text starts in its file. */
export async function readYaml(text: string, file: string, firstLine: number, faults: RoleFault[]): Promise<Located | undefined> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const fault = (line: number, found: string, expected: string) => {
    faults.push({ file, line: line + firstLine - 1, field: 'front matter', found, expected })
  }
  try {
    const document = yaml.parseDocument(text, { ...READING, lineCounter: lines })
    if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) throw new RangeError('nested deeper than the stack')
    const remarks = [...document.errors, ...document.warnings].slice(0, FAULTS_AT_MOST)
    for (const { message, pos } of remarks) fault(lines.linePos(pos[0]).line, visible(message), 'plain YAML')
    if (remarks.length > 0) return undefined
    const doubled = doubledKeys(yaml, document)
    for (const { key, start } of doubled) fault(lines.linePos(start).line, show(key), 'each key once')
    if (doubled.length > 0) return undefined
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    return { value, lineOf: (path) => lineOf(yaml, document, lines, path) + firstLine - 1 }
  } catch (error) {
    // An alias bomb, or nesting deeper than the stack: here the parser throws instead of listing an error.
    if (error instanceof RangeError) fault(1, `nested deeper than ${MAX_DEPTH} levels`, `at most ${MAX_DEPTH} levels`)
    else fault(1, visible(messageOf(error)), 'plain YAML without aliases')
    return undefined
  }
}

/** Parses JSON strictly and finds its lines with the YAML reader, which understands JSON and sees doubled keys. */
export async function readJson(text: string, file: string, faults: RoleFault[]): Promise<Located | undefined> {
  const parsed = parseJson(text, file, faults)
  if (parsed === undefined) return undefined
  const remarks: RoleFault[] = []
  const located = await readYaml(text, file, 1, remarks)
  faults.push(...remarks.map((remark) => ({ ...remark, field: 'JSON' })))
  return located === undefined ? undefined : { value: parsed.value, lineOf: located.lineOf }
}

function parseJson(text: string, file: string, faults: RoleFault[]): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const message = messageOf(error)
    const line = Number(/line (\d+)/.exec(message)?.[1] ?? 1)
    faults.push({ file, line, field: 'JSON', found: show(message), expected: 'one JSON object' })
    return undefined
  }
}

function doubledKeys(yaml: Yaml, document: Document): { key: string; start: number }[] {
  const doubled: { key: string; start: number }[] = []
  yaml.visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!yaml.isScalar(key)) continue
        if (seen.has(key.value)) doubled.push({ key: String(key.value), start: key.range?.[0] ?? 0 })
        seen.add(key.value)
      }
    },
  })
  return doubled.slice(0, FAULTS_AT_MOST)
}

/** The line of the deepest part of the path that is there. */
function lineOf(yaml: Yaml, document: Document, lines: LineCounter, path: Path): number {
  let node: unknown = document.contents
  let start = 0
  for (const key of path) {
    const pair = yaml.isMap(node) ? node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key) : undefined
    const named = pair?.key ?? (yaml.isSeq(node) && typeof key === 'number' ? node.items[key] : undefined)
    if (!yaml.isNode(named)) break
    start = named.range?.[0] ?? start
    node = pair === undefined ? named : pair.value
  }
  return lines.linePos(start).line
}
