import type { Running } from '../../domain/overview/running.ts'
import type { Driver } from '../../store/driver.ts'
import { runs, workflowPlays, workflowRuns } from '../../store/tables.ts'
import { pinnedWorkflow } from '../files/versions.ts'
import { isPlaying } from './view.ts'

/** The workflows that a living process plays. */
export async function runningWorkflows(driver: Driver): Promise<Running[]> {
  const open = await workflowPlays.items(driver, { where: { status: 'playing' } })
  const found = open.map(async (play): Promise<Running[]> => {
    if (!(await isPlaying(driver, play))) return []
    const { id, agent_role, workspace, started_at: since } = play
    const { item } = await workflowRuns.get(driver, id)
    const { name: title } = await pinnedWorkflow(driver, item.workflow_hash)
    const [run] = await runs.items(driver, { where: { thread_id: id, status: 'running' } })
    const link = `/workflows/runs/${id}`
    return [{ id, way: 'workflow', title, agent: agent_role, agent_role, run_id: run?.id ?? null, workspace, link, since }]
  })
  return (await Promise.all(found)).flat()
}
