import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { boardViolations } from '../../domain/board/validate.ts'
import type { Violation } from '../../domain/board/rule.ts'
import { isInside } from '../../sandbox/files/inside.ts'
import type { GitFindings } from './validate-git.ts'

export interface ValidateOptions {
  /** The top of the project the document belongs to; null when files are not to be looked at. */
  root: string | null
  now: Date
  skip_spec_file_check?: boolean
  /** What git says about the board of this project; a document is held against the files of its folder. */
  git?: GitFindings | null
  /** Worktrees lie on several machines, so that one that is not here may be elsewhere. */
  shared?: boolean
}

/** Every rule a board breaks. */
export function validateState(document: unknown, options: ValidateOptions): Violation[] {
  const { root, now, skip_spec_file_check = false, git = null, shared = false } = options
  const there = root === null ? null : (path: string) => isInside(root, resolve(root, path)) && existsSync(join(root, path))
  const specExists = git === null ? there : git.specExists
  const found = boardViolations(document, {
    now,
    specExists: skip_spec_file_check ? null : specExists,
    folderExists: shared ? null : there,
  })
  return [...found, ...(git?.violations ?? [])]
}

/** A `state.yaml` as a document; text that is no YAML is refused with its line. */
export async function parseState(text: string, file: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const [error] = document.errors
  if (error === undefined) return plain(document, file)
  const { line } = lines.linePos(error.pos[0])
  throw new Problem('bad_input', `${file}:${line}: ${error.message.split('\n')[0]}`, { details: { file, line } })
}

/** A few aliases are fine; ten that stand for ten each, nine times over, are a billion values. */
function plain(document: { toJS: (options: { maxAliasCount: number }) => unknown }, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (cause) {
    throw new Problem('bad_input', `${file} uses aliases (*name) too often; write the values out`, { cause })
  }
}
