import type { McpServices } from '../../mcp/tool.ts'
import type { Driver } from '../../store/driver.ts'
import { openCatalogue, workflowFolders } from '../../workflows/files/catalogue.ts'
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
  const roles = () => rolesIn(project)
  return { version: packageJson.version, project, catalogue: openCatalogue(workflowFolders(project)), roles, store, now: () => new Date() }
}

/** Most workflows name no role, so what reads them is loaded by the first that does. */
async function rolesIn(folder: string): Promise<readonly string[]> {
  const [{ loadRoles }, { loadConfig }, { roleFolders }] = await Promise.all([
    import('../../roles/load.ts'),
    import('../../config/load.ts'),
    import('../../config/wiring.ts'),
  ])
  return (await loadRoles(roleFolders(await loadConfig({ env: process.env, cwd: folder }), folder))).ids
}
