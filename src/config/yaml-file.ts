import { readFile } from 'node:fs/promises'
import { messageOf, Problem, systemCode } from '../domain/problem.ts'

/** A YAML file as plain values, and the line on which a field stands. */
export interface YamlFile {
  value: unknown
  lineOf: (path: readonly PropertyKey[]) => number
}

/** A configuration larger than this is a mistake, and parsing it would cost a noticeable while. */
const BYTES_AT_MOST = 256 * 1024

/** Reads a YAML file; null when there is none. The parser is loaded only when there is one. */
export async function readYamlFile(file: string): Promise<YamlFile | null> {
  const text = await textOf(file)
  if (text === null) return null
  if (text.length > BYTES_AT_MOST)
    throw new Problem('bad_input', `${file} is larger than ${BYTES_AT_MOST / 1024} KiB; a configuration is a page of text`)
  const { isNode, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  // One alias can stand for a million nodes; a configuration needs none.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const broken = document.errors[0]
  if (broken) throw new Problem('bad_input', `${file}:${lines.linePos(broken.pos[0]).line}: not valid YAML: ${broken.message}`)
  return { value: plain(file, document) ?? {}, lineOf }

  function lineOf(path: readonly PropertyKey[]): number {
    for (let depth = path.length; depth > 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true)
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
}

function plain(file: string, document: { toJS: (options: { maxAliasCount: number }) => unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    throw new Problem('bad_input', `${file}: aliases (*name) are not allowed in a configuration; write the value out`, { cause: error })
  }
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null
    throw new Problem('bad_input', `${file} cannot be read (${messageOf(error)}); make it readable or move it away`, { cause: error })
  }
}
