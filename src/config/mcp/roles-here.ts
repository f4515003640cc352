import type { Role } from '../../domain/role.ts'
import { loadRoles } from '../../roles/load.ts'
import type { LoadedConfig } from '../load.ts'
import { roleFolders } from '../wiring.ts'
import type { ServersContext } from './context.ts'

/** The roles of a folder. */
export async function rolesHere(loaded: LoadedConfig, { cwd }: ServersContext): Promise<readonly Role[]> {
  return (await loadRoles(roleFolders(loaded, cwd))).list()
}
