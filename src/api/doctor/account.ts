import { access, constants, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { LoadedConfig } from '../../config/load.ts'
import type { Environment } from '../../config/places.ts'
import { notificationVariables, providerSettings, roleFolders, storeAddress } from '../../config/wiring.ts'
import { maskedAddress } from '../../domain/text/key-shapes.ts'
import { Problem } from '../../domain/problem.ts'
import { bad, good, warn, type Fix, type MachineCheck } from './check.ts'

const SET_A_KEY = 'export ANTHROPIC_API_KEY=…, or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY'

/** Nobody writes for so long at a time; a lock that stays is one that somebody forgot. */
const LOCKED_AFTER_MS = 3_000

export async function lookAtRoles(loaded: LoadedConfig, cwd: string): Promise<MachineCheck> {
  const { loadRoles } = await import('../../roles/load.ts')
  const { ids, warnings } = await loadRoles(roleFolders(loaded, cwd))
  const [first] = warnings
  if (first !== undefined) {
    const next = first.next === undefined || first.next.length === 0 ? [{ operation: 'role.check' }] : [...first.next]
    return warn(warnings.map(({ text }) => text).join('; '), { next })
  }
  return good(`${ids.length}: ${ids.join(', ')}`)
}

/** A store that is not there yet is left unmade, and one that is older stays as it is: looking must not change anything. */
export async function lookAtStore(loaded: LoadedConfig): Promise<MachineCheck> {
  const address = storeAddress(loaded)
  const shown = maskedAddress(address)
  const file = storeFile(loaded)
  if (file !== null && !(await isThere(file))) return good(`${shown}, created on first use`)
  const { damageOf, pendingChanges } = await import('../../store/open.ts')
  try {
    const changes = await pendingChanges(address, { patienceMs: LOCKED_AFTER_MS })
    const damage = await damageOf(address, { patienceMs: LOCKED_AFTER_MS })
    if (damage !== null) return bad(`${shown} is damaged: ${damage}`, saveAndRestore(file))
    return good(changes === 0 ? shown : `${shown}, upgraded on next use`)
  } catch (error) {
    if (error instanceof Problem) return bad(error.message, storeFix(error, file))
    throw error
  }
}

/** The file that records are kept in; null where a server keeps them. */
function storeFile(loaded: LoadedConfig): string | null {
  const address = storeAddress(loaded)
  return address.startsWith('sqlite:') ? resolve(address.slice('sqlite:'.length)) : null
}

function storeFix({ code }: Problem, file: string | null): string | Fix {
  if (code === 'store_newer') return 'update Troupe: docs/how-to/install.md'
  if (file === null) return 'start that database, or export TROUPE_STORE=… to another store'
  return code === 'busy' ? `end the process that holds it: fuser ${file}` : restore(file)
}

function restore(file: string | null): Fix {
  return {
    fix: `mv ${file} ${file}.damaged, then import your last export`,
    next: [{ operation: 'system.import', input: { file: 'FILE' } }],
  }
}

function saveAndRestore(file: string | null): Fix {
  const { fix, next = [] } = restore(file)
  const save = { operation: 'system.export', input: { file: 'FILE' } }
  return { fix: `export it while it can be read; then ${fix}`, next: [save, ...next] }
}

/** Without its variable a channel sends nothing. */
export function lookAtNotifications(loaded: LoadedConfig, env: Environment): MachineCheck {
  const missing = notificationVariables(loaded).filter((name) => !env[name])
  if (missing.length === 0) return good(Object.keys(loaded.config.notifications).join(', '))
  return warn(
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set, so nothing is sent there`,
    missing.map((name) => `export ${name}=…`).join('; '),
  )
}

/** Which keys are there. One that the configuration names and that is missing is told, whatever else there is. */
export async function lookAtKeys({ config }: LoadedConfig, env: Environment): Promise<MachineCheck> {
  const { hostedKinds } = await import('../../providers/settings.ts')
  const named = Object.values(config.providers).flatMap(({ api_key_env }) => api_key_env ?? [])
  const missing = named.filter((variable) => !env[variable])
  if (missing.length > 0)
    return warn(
      `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
      missing.map((name) => `export ${name}=…`).join('; '),
    )
  const usual = Object.values(hostedKinds).flatMap(({ key_variables }) => key_variables)
  const set = [...usual, ...named].filter((variable) => env[variable])
  return set.length > 0 ? good(`set: ${set.join(', ')}`) : warn('none is set', SET_A_KEY)
}

export async function lookAtModel(loaded: LoadedConfig, env: Environment): Promise<MachineCheck> {
  const [{ defaultModel, resolveModel }, { findLocalServers }] = await Promise.all([
    import('../../providers/open.ts'),
    import('../../providers/local-servers.ts'),
  ])
  const settings = providerSettings(loaded, env)
  const name = defaultModel(settings)
  if (name !== 'rehearsal') return canBeAsked(name, () => resolveModel(name, settings))
  const local = (await findLocalServers()).find(({ models }) => models.length > 0)
  if (local === undefined) return warn('models are played by the rehearsal, because no key is set', SET_A_KEY)
  const fix = `put "model: ${local.name}/${local.models[0]}" in ${loaded.places.user_config}`
  return warn(`models are played by the rehearsal, though ${local.name} is listening here`, fix)
}

async function canBeAsked(name: string, resolveName: () => Promise<unknown>): Promise<MachineCheck> {
  try {
    await resolveName()
    return good(name)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [variable] = Array.isArray(error.details['variables']) ? error.details['variables'] : []
    return bad(
      `${name}: ${error.message}`,
      variable === undefined ? { fix: 'set another model', next: [{ operation: 'settings.show' }] } : `export ${variable}=…`,
    )
  }
}

/** What we keep is ours to write and nobody else's to read; what tells us what to run is nobody else's to write. */
export async function lookAtFiles(loaded: LoadedConfig): Promise<MachineCheck> {
  const { home, user_config, user_roles } = loaded.places
  const there = await nearest(home)
  if (!(await stat(there)).isDirectory())
    return bad(`${there} is not a folder, so ${home} cannot be created`, 'export TROUPE_HOME=… to a folder you own')
  if (!(await isThere(there, constants.W_OK))) return bad(`${there} cannot be written`, 'export TROUPE_HOME=… to a folder you own')
  const store = storeFile(loaded)
  const readable = await withMode([join(home, 'token'), ...(store === null ? [] : [store, `${store}-wal`])], 0o077)
  if (readable.length > 0) return bad(`others may read ${readable.join(', ')}`, `chmod 600 ${readable.join(' ')}`)
  const roles = await readdir(user_roles).catch(() => []) // most people have none
  const writable = await withMode(
    [home, dirname(user_config), user_config, user_roles, ...roles.map((name) => join(user_roles, name))],
    0o022,
  )
  if (writable.length > 0) return bad(`others may write ${writable.join(', ')}`, `chmod go-w ${writable.join(' ')}`)
  return good('private')
}

async function withMode(paths: readonly string[], bits: number): Promise<string[]> {
  const each = [...new Set(paths)]
  const found = await Promise.all(each.map((path) => stat(path).catch(() => null)))
  return each.filter((_, at) => ((found[at]?.mode ?? 0) & bits) !== 0)
}

async function nearest(path: string): Promise<string> {
  return (await isThere(path)) || path === dirname(path) ? path : nearest(dirname(path))
}

/** Whether something is there, and may be used so. */
function isThere(path: string, use = constants.F_OK): Promise<boolean> {
  return access(path, use).then(
    () => true,
    () => false,
  )
}
