import type { Agent } from '../agent/agent.ts'
import { closeStage, openStage, type Stage } from '../chat/stage.ts'
import { agentFrom, modelFor } from '../config/agent.ts'
import { loadConfig, type LoadedConfig } from '../config/load.ts'
import { roleFolders, storeAddress } from '../config/wiring.ts'
import { loadRoles } from '../roles/load.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { openStore } from '../store/open.ts'
import { say } from './terminal.ts'

/** Everything a command needs to play chats in this process. */
export interface OpenedStage {
  loaded: LoadedConfig
  stage: Stage
  /** Stops what is played and closes the store. */
  close: () => Promise<void>
}

/** Opens the store, the roles and the sandbox for a folder, and a stage on them. */
export async function openStageFor(
  workspace: string,
  onEvent: Agent['onEvent'],
  flags: { port?: number | string | undefined } = {},
): Promise<OpenedStage> {
  const loaded = await loadConfig({ env: process.env, cwd: workspace, flags })
  const [driver, roles, sandbox] = await Promise.all([
    openStore(storeAddress(loaded)),
    loadRoles(roleFolders(loaded, workspace)),
    detectSandbox(),
  ])
  for (const warning of roles.warnings) say(warning)
  const agent = agentFrom(loaded, { driver, roles, sandbox, onEvent })
  const stage = openStage(agent, (role, chosen) => modelFor(loaded, roles, role, chosen))
  const close = async () => {
    await closeStage(stage)
    await driver.close()
  }
  return { loaded, stage, close }
}
