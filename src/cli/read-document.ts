import { text } from 'node:stream/consumers'
import { messageOf, Problem } from '../domain/problem.ts'
import { readText } from './named-file.ts'

let typed: Promise<string> | undefined

/** It can be read only once, and a verb may be rehearsed before it is done. */
function standardInput(): Promise<string> {
  return (typed ??= text(process.stdin))
}

/** A YAML or JSON file, what comes on standard input for `-`, or JSON that was typed itself. */
export async function readDocument(file: string): Promise<unknown> {
  const isTyped = /^\s*[{[]/.test(file)
  const content = await (isTyped
    ? file
    : file === '-'
      ? standardInput()
      : readText(file, 'name a YAML or JSON file, or - for standard input'))
  const { parse } = await import('yaml')
  try {
    return parse(content, { maxAliasCount: 0, prettyErrors: false })
  } catch (cause) {
    throw new Problem('bad_input', `${file} is neither YAML nor JSON: ${messageOf(cause)}`, { cause })
  }
}
