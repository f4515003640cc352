import type { McpServices } from '../../mcp/tool.ts'
import type { Driver } from '../../store/driver.ts'
import { openCatalogue, workflowFolders } from '../../workflows/catalogue.ts'
import { openConfiguredStore } from '../open/store.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/** What the workflow commands work with. The store is opened by the first of them that needs it, and closed by `close`. */
export interface WorkflowServices extends McpServices {
  close: () => Promise<void>
}

/** The workflows and the store of this machine, as the configuration has them. */
export async function openWorkflowServices(): Promise<WorkflowServices> {
  let opened: Promise<Driver> | undefined
  const close = async () => {
    await (await opened)?.close()
  }
  return { ...workflowServices(() => (opened ??= openConfiguredStore().then(({ driver }) => driver))), close }
}

/** The workflows of this project, on a store that somebody else opens and closes. */
export function workflowServices(store: () => Promise<Driver>): McpServices {
  const project = process.cwd()
  return { version: packageJson.version, project, catalogue: openCatalogue(workflowFolders(project)), store, now: () => new Date() }
}
