import { boundsOf, narrowedBounds } from '../../domain/bounds.ts'
import type { Entry } from '../../domain/entry.ts'
import type { Role } from '../../domain/role.ts'
import type { Run } from '../../domain/run.ts'
import { nestedInstructions } from '../../roles/instructions/instructions.ts'
import type { CallContext } from '../../tools/tool.ts'

/** Finds what folders say about work in them, each file once in a thread. */
export function nearbyInstructions(run: Run, role: Role, thread: readonly Entry[]): NonNullable<CallContext['nearby']> {
  const bounds = narrowedBounds(run.bounds, boundsOf(role))
  const told = new Set(thread.flatMap(toldIn))
  return (places) => {
    const found = nestedInstructions(run.workspace, places, told, bounds)
    for (const { file } of found) told.add(file)
    return found
  }
}

function toldIn(entry: Entry): string[] {
  const files = entry.from === 'tool' ? entry.details['instructions'] : undefined
  return Array.isArray(files) ? files.map(String) : []
}
