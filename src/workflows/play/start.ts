import { existingFolder } from '../../sandbox/files/existing-folder.ts'
import { contextIn } from '../../agent/folder-context.ts'
import { type PlayRequest, WorkflowPlay, workflowPlayFlow } from '../../domain/workflow/play.ts'
import { stepsOf } from '../../domain/workflow/workflow.ts'
import { DEFAULT_ROLE } from '../../domain/role.ts'
import { workflowPlays } from '../../store/tables.ts'
import type { CatalogueEntry } from '../files/catalogue.ts'
import { readHandle } from '../handle.ts'
import type { PlayContext } from './context.ts'
import { startWorkflowRun } from '../start.ts'

/** Starts a durable run of a workflow that our own agent is to carry out. Every role it names must be there before the first step. */
export async function startPlay(stage: PlayContext, entry: CatalogueEntry, request: PlayRequest): Promise<WorkflowPlay> {
  const workspace = existingFolder(request.workspace)
  const here = await contextIn(stage, workspace)
  const { driver, roles, now } = here.agent
  const { id: agent_role } = roles.need(request.agent_role ?? DEFAULT_ROLE)
  for (const { role } of stepsOf(entry.workflow)) if (role !== undefined) roles.need(role)
  const limits = { ...here.limits, ...request.limits }
  if (typeof request.model === 'string') await here.needModel(request.model)
  return driver.transaction(async (tx) => {
    const { run } = await startWorkflowRun(tx, entry, request.context ?? {}, now())
    const play = WorkflowPlay.parse({
      id: readHandle(run).id,
      agent_role,
      model: request.model,
      workspace,
      limits,
      status: workflowPlayFlow.initial,
      started_at: now().toISOString(),
    })
    return (await workflowPlays.add(tx, play)).item
  })
}
