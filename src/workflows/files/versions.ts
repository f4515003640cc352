import type { Driver } from '../../store/driver.ts'
import { workflowVersions } from '../../store/tables.ts'
import type { Workflow } from '../../domain/workflow/workflow.ts'

const loaded = new Map<string, Workflow>()

/** Enough for a long-lived server; a hash never changes its meaning, so what is dropped can be read again. */
const KEEP = 100

/** The version a run was started with. Kept in memory: reading and checking it again for every step would make long runs slow. */
export async function pinnedWorkflow(driver: Driver, hash: string): Promise<Workflow> {
  const had = loaded.get(hash)
  if (had !== undefined) return had
  const { workflow } = (await workflowVersions.get(driver, hash)).item
  if (loaded.size >= KEEP) loaded.clear()
  loaded.set(hash, workflow)
  return workflow
}
