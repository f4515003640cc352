import { text } from 'node:stream/consumers'
import { messageOf, Problem } from '../domain/problem.ts'
import { readText } from './named-file.ts'

/** A YAML or JSON file, or what comes on standard input for `-`. */
export async function readDocument(file: string): Promise<unknown> {
  const content = await (file === '-' ? text(process.stdin) : readText(file, 'name a YAML or JSON file, or - for standard input'))
  const { parse } = await import('yaml')
  try {
    return parse(content, { maxAliasCount: 0, prettyErrors: false })
  } catch (cause) {
    throw new Problem('bad_input', `${file} is neither YAML nor JSON: ${messageOf(cause)}`, { cause })
  }
}
