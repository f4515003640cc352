import { contextIn } from '../../agent/folder-context.ts'
import type { Driver } from '../../store/driver.ts'
import { dryRun } from '../../store/dry-run.ts'
import type { WorkflowPlayContext } from '../../workflows/context.ts'
import type { HttpArea } from '../operation-routes.ts'
import type { ServerContext } from '../services.ts'

/** The workflows of the folder that the server was started in. */
export function workflowRoutes({ driver, workspace, catalogue, plays }: ServerContext): HttpArea<WorkflowPlayContext> {
  const roles = async () => (await contextIn(plays, workspace)).agent.roles.ids
  const contextOn = (store: Driver) => ({ project: workspace, catalogue, roles, store: async () => store, now: plays.agent.now, plays })
  return {
    scope: {},
    within: ({ dry }, work) => (dry ? dryRun(driver, (tx) => work(contextOn(tx))) : work(contextOn(driver))),
  }
}
