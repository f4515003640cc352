import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isInside } from '../sandbox/files/inside.ts'
import { secretRule } from '../sandbox/files/secret.ts'
import { isOwnRecord } from '../sandbox/files/store-paths.ts'

/** A project's own instructions beyond this are cut: they must not push the role's text out of sight. */
const INSTRUCTIONS_CHARS = 8_000

/** What a project tells every agent that works in it, where it has such a file; for the prompt section `project`. */
export function projectInstructions(workspace: string): string {
  try {
    const root = realpathSync(workspace)
    const file = realpathSync(join(root, 'AGENTS.md'))
    return mayBeTold(root, file) ? beginningOf(file) : ''
  } catch {
    return '' // most projects have none
  }
}

/** A link is fine inside the project; one that leads out of it, or to a secret, would hand what it names to a model. */
function mayBeTold(root: string, file: string): boolean {
  return isInside(root, file) && !isOwnRecord(root, file) && secretRule(relative(root, file), 'read') === null && statSync(file).isFile()
}

/** Read no further than it is told: whoever is at work waits for this, and a file of a gigabyte is one line of shell. */
function beginningOf(file: string): string {
  const bytes = Buffer.alloc(4 * INSTRUCTIONS_CHARS) // no character takes more than four
  const opened = openSync(file, 'r')
  try {
    return bytes.toString('utf8', 0, readSync(opened, bytes)).slice(0, INSTRUCTIONS_CHARS)
  } finally {
    closeSync(opened)
  }
}
