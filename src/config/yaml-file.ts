import { readFile, stat } from 'node:fs/promises'
import { messageOf, Problem, systemCode, whyNoAccess } from '../domain/problem.ts'
import type { RoleFault } from '../roles/fault.ts'
import { readYaml, type Located } from '../roles/locate.ts'

/** A configuration larger than this is a mistake, and parsing it would cost a noticeable while. */
const BYTES_AT_MOST = 256 * 1024

/** Reads a YAML file as plain values with their lines; null when there is none. The parser is loaded only when there is one. */
export async function readYamlFile(file: string): Promise<Located | null> {
  const text = await textOfSettings(file)
  if (text === null) return null
  const faults: RoleFault[] = []
  const located = await readYaml(text, file, 1, faults)
  const [first] = faults
  if (first) throw new Problem('bad_input', `${file}:${first.line}: not valid YAML: ${first.found}; expected ${first.expected}`)
  return located === undefined ? null : { ...located, value: located.value ?? {} }
}

/** What is in a settings file; null when there is none. */
export async function textOfSettings(file: string): Promise<string | null> {
  try {
    const info = await stat(file)
    // A project may name a device or a pipe here, and reading one has no end.
    if (!info.isFile()) throw new Problem('bad_input', `${file} is not a regular file; settings are a page of text`)
    if (info.size > BYTES_AT_MOST)
      throw new Problem('bad_input', `${file} is larger than ${BYTES_AT_MOST / 1024} KiB; a configuration is a page of text`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Problem) throw error
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null
    const why = whyNoAccess(error) ?? `${file} cannot be read (${messageOf(error)}); make it readable or move it away`
    throw new Problem('bad_input', why, { cause: error })
  }
}
