import type { Document, LineCounter } from 'yaml'
import { show, type RoleFault } from './fault.ts'

type Yaml = typeof import('yaml')
type Path = readonly PropertyKey[]

/** A value read from text, with the line each part of it stands on. */
export interface Located {
  value: unknown
  lineOf(path: Path): number
}

/** Parses YAML and keeps the lines; `firstLine` is where the text starts in its file. */
export async function readYaml(text: string, file: string, firstLine: number, faults: RoleFault[]): Promise<Located | undefined> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const fault = (line: number, message: string, expected: string) => {
    faults.push({ file, line: line + firstLine - 1, field: 'front matter', found: show(message), expected })
  }
  try {
    const document = yaml.parseDocument(text, { lineCounter: lines, logLevel: 'silent', prettyErrors: false, stringKeys: true })
    const remarks = [...document.errors, ...document.warnings]
    for (const { message, pos } of remarks) fault(lines.linePos(pos[0]).line, message, 'plain YAML')
    if (remarks.length > 0) return undefined
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    return { value, lineOf: (path) => lineOf(yaml, document, lines, path) + firstLine - 1 }
  } catch (error) {
    // An alias bomb, or nesting deeper than the stack: here the parser throws instead of listing an error.
    fault(1, error instanceof Error ? error.message : String(error), 'plain YAML without aliases')
    return undefined
  }
}

/** Parses JSON strictly and finds its lines with the YAML reader, which understands JSON and sees doubled keys. */
export async function readJson(text: string, file: string, faults: RoleFault[]): Promise<Located | undefined> {
  const parsed = parseJson(text, file, faults)
  if (parsed === undefined) return undefined
  const remarks: RoleFault[] = []
  const located = await readYaml(text, file, 1, remarks)
  const doubled = remarks.filter((remark) => /unique/i.test(remark.found))
  if (doubled.length > 0) {
    faults.push(...doubled.map((remark) => ({ ...remark, field: 'JSON', expected: 'each key once' })))
    return undefined
  }
  return { value: parsed.value, lineOf: located?.lineOf ?? (() => 1) }
}

function parseJson(text: string, file: string, faults: RoleFault[]): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const line = Number(/line (\d+)/.exec(message)?.[1] ?? 1)
    faults.push({ file, line, field: 'JSON', found: show(message), expected: 'one JSON object' })
    return undefined
  }
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
