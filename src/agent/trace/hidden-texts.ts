import { hiddenTexts, maskRoles } from '../../domain/text/mask-role.ts'
import type { Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { runs, workflowPlays, workflowRuns, workflowVersions } from '../../store/tables.ts'

/** What only the agent of a workflow may read of a run, or of one that such a run started. */
export async function hiddenFrom(driver: Driver, run: Run): Promise<string[]> {
  if (run.parent_run_id !== null) return hiddenFrom(driver, (await runs.get(driver, run.parent_run_id)).item)
  if ((await workflowPlays.find(driver, run.thread_id)) === null) return []
  const { item } = await workflowRuns.get(driver, run.thread_id)
  return hiddenTexts((await workflowVersions.get(driver, item.workflow_hash)).item.workflow)
}

/** Any record as people may see it: every text in it without what only agents read. */
export function maskedFor<T>(record: T, hidden: readonly string[]): T {
  return hidden.length === 0 ? record : (masked(record, hidden) as T) // only texts are replaced, by texts
}

function masked(value: unknown, hidden: readonly string[]): unknown {
  if (typeof value === 'string') return maskRoles(value, hidden)
  if (Array.isArray(value)) return value.map((item) => masked(item, hidden))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, masked(item, hidden)]))
}
