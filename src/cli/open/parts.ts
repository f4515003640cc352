import { noticeText } from '../next-steps.ts'
import { loadConfig } from '../../config/load.ts'
import type { AgentParts } from '../../config/open-agent.ts'
import { openStoreOf } from '../../config/open-store.ts'
import { placesFor } from '../../config/places.ts'
import { roleFolders } from '../../config/wiring.ts'
import { loadRoles } from '../../roles/load.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { say } from '../terminal.ts'

/** Everything of an agent that is opened before anyone listens to it. Close its driver when you are done. */
export type OpenParts = Omit<AgentParts, 'onEvent'>

/** Reads the configuration and opens store, roles and sandbox for a folder. */
export async function openParts(workspace: string, flags: { port?: number | string | undefined } = {}): Promise<OpenParts> {
  const env = process.env
  const detecting = detectSandbox(placesFor(env, workspace).sandbox_memory) // first: it waits for a process, and everything else can happen meanwhile
  detecting.catch(() => undefined) // heard below, unless the configuration is refused before
  const loaded = await loadConfig({ env, cwd: workspace, flags })
  const [driver, roles, sandbox] = await Promise.all([openStoreOf(loaded), loadRoles(roleFolders(loaded, workspace)), detecting])
  return { loaded, env, driver, roles, sandbox }
}

/** What was opened, with the settings and roles of another folder; one that is not there any more has none of its own. */
export async function partsIn(parts: OpenParts, workspace: string): Promise<OpenParts> {
  const loaded = await loadConfig({ env: parts.env, cwd: workspace })
  return { ...parts, loaded, roles: await loadRoles(roleFolders(loaded, workspace)) }
}

/** The same for agents that begin at once: which roles do less than their files say is told before, and not by every command that only looks. */
export async function openToPlay(...given: Parameters<typeof openParts>): Promise<OpenParts> {
  const parts = await openParts(...given)
  await sayWarnings(parts)
  return parts
}

/** Tells which roles do less than their files say. */
export async function sayWarnings({ roles }: Pick<OpenParts, 'roles'>): Promise<void> {
  for (const warning of roles.warnings) say(await noticeText(warning))
}
