import { text } from 'node:stream/consumers'
import { Problem } from '../domain/problem.ts'
import { readText } from './named-file.ts'

let typed: Promise<string> | undefined

/** It can be read only once, and a verb may be rehearsed before it is done. */
function standardInput(): Promise<string> {
  return (typed ??= text(process.stdin))
}

/** A YAML or JSON file, what comes on standard input for `-`, or JSON that was typed itself; text that is neither is refused with its line. */
export async function readDocument(file: string): Promise<unknown> {
  const isTyped = /^\s*[{[]/.test(file)
  const content = await (isTyped
    ? file
    : file === '-'
      ? standardInput()
      : readText(file, 'name a YAML or JSON file, or - for standard input'))
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(content, { lineCounter: lines, uniqueKeys: true, prettyErrors: false })
  const [error] = document.errors
  if (error === undefined) return plain(document, file)
  const { line } = lines.linePos(error.pos[0])
  throw new Problem('bad_input', `${file}:${line}: neither YAML nor JSON: ${error.message.split('\n')[0]}`, { details: { file, line } })
}

/** A few aliases are fine; ten that stand for ten each, nine times over, are a billion values. */
function plain(document: { toJS: (options: { maxAliasCount: number }) => unknown }, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (cause) {
    throw new Problem('bad_input', `${file} uses aliases (*name) too often; write the values out`, { cause })
  }
}
