import { loadConfig, type LoadedConfig } from '../config/load.ts'
import { storeAddress } from '../config/wiring.ts'
import type { McpServices } from '../mcp/tool.ts'
import type { Driver } from '../store/driver.ts'
import { openCatalogue, workflowFolders } from '../workflows/catalogue.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** What the workflow commands work with. The store is opened by the first of them that needs it, and closed by `close`. */
export interface WorkflowServices extends McpServices {
  close: () => Promise<void>
}

/** The workflows and the store of this machine, as the configuration has them. */
export async function openWorkflowServices(given?: LoadedConfig): Promise<WorkflowServices> {
  const project = process.cwd()
  const loaded = given ?? (await loadConfig({ env: process.env, cwd: project }))
  let opened: Promise<Driver> | undefined
  return {
    version: packageJson.version,
    catalogue: openCatalogue(workflowFolders(project)),
    store: () => (opened ??= openHere(loaded)),
    now: () => new Date(),
    close: async () => {
      await (await opened)?.close()
    },
  }
}

async function openHere(loaded: LoadedConfig): Promise<Driver> {
  const { openStore } = await import('../store/open.ts')
  return openStore(storeAddress(loaded))
}
