import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A project's own instructions beyond this are cut: they must not push the role's text out of sight. */
const INSTRUCTIONS_CHARS = 8_000

/** What a project tells every agent that works in it, where it has such a file; for the prompt section `project`. */
export function projectInstructions(workspace: string): string {
  try {
    return readFileSync(join(workspace, 'AGENTS.md'), 'utf8').slice(0, INSTRUCTIONS_CHARS)
  } catch {
    return '' // most projects have none
  }
}
