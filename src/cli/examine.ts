import { execFile } from 'node:child_process'
import { access, constants, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig, type LoadedConfig } from '../config/load.ts'
import type { Environment } from '../config/places.ts'
import { providerSettings, roleFolders, storeAddress } from '../config/wiring.ts'
import { asProblem } from '../domain/problem.ts'

/** One thing looked at: what was found and, where something is missing, the line that brings it. */
export interface Finding {
  what: string
  state: 'good' | 'warn' | 'bad'
  found: string
  fix?: string
}

type Look = Omit<Finding, 'what'>

/** Looks at everything Troupe needs of a machine. Each look answers for itself, so that one failure hides no other. */
export async function examine(env: Environment, cwd: string): Promise<Finding[]> {
  const machine = [look('node', node), look('git', git), look('sandbox', sandbox)]
  const loaded = await loadConfig({ env, cwd }).catch(asProblem)
  if (loaded instanceof Error) return Promise.all([...machine, look('configuration', () => Promise.reject(loaded))])
  return Promise.all([
    ...machine,
    look('configuration', async () => ({ state: 'good', found: `home ${loaded.places.home}` })),
    look('roles', () => roles(loaded, cwd)),
    look('store', () => store(loaded)),
    look('model', () => model(loaded, env)),
    look('port', () => port(loaded.config.port)),
    look('files', () => files(loaded.places.home)),
  ])
}

/** A look that fails is itself what was found; its sentence says what to do. */
async function look(what: string, at: () => Promise<Look>): Promise<Finding> {
  try {
    return { what, ...(await at()) }
  } catch (error) {
    return { what, state: 'bad', found: asProblem(error).message }
  }
}

async function node(): Promise<Look> {
  const found = process.version
  return Number(found.slice(1).split('.')[0]) >= 24
    ? { state: 'good', found }
    : { state: 'bad', found, fix: 'npm ci, then start Troupe by bin/troupe' }
}

async function git(): Promise<Look> {
  const asked = await promisify(execFile)('git', ['--version']).catch(() => null)
  if (asked === null) return { state: 'bad', found: 'not installed', fix: 'sudo apt-get install git' }
  return { state: 'good', found: asked.stdout.trim().replace('git version ', '') }
}

async function sandbox(): Promise<Look> {
  const { detectSandbox } = await import('../sandbox/detect.ts')
  const state = await detectSandbox()
  if (state.kind === 'none') return { state: 'bad', found: `none: ${state.reason}`, fix: state.fix }
  if (state.kind === 'bubblewrap') return { state: 'good', found: state.kind }
  return { state: 'warn', found: `${state.kind}; each command starts slower than under bubblewrap`, fix: 'sudo apt-get install bubblewrap' }
}

async function roles(loaded: LoadedConfig, cwd: string): Promise<Look> {
  const { loadRoles } = await import('../roles/load.ts')
  const { ids, warnings } = await loadRoles(roleFolders(loaded, cwd))
  if (warnings.length > 0) return { state: 'warn', found: warnings.join('; ') }
  return { state: 'good', found: `${ids.length}: ${ids.join(', ')}` }
}

/** A store that is not there yet is left unmade: looking must not change anything. */
async function store(loaded: LoadedConfig): Promise<Look> {
  const address = storeAddress(loaded)
  const shown = address.replace(/:\/\/[^@/]*@/, '://…@')
  const file = address.startsWith('sqlite:') ? resolve(address.slice('sqlite:'.length)) : null
  if (file !== null && !(await isThere(file))) return { state: 'good', found: `${shown}, made at the first use` }
  const { openStore } = await import('../store/open.ts')
  const driver = await openStore(address)
  await driver.close()
  return { state: 'good', found: shown }
}

async function model(loaded: LoadedConfig, env: Environment): Promise<Look> {
  const [{ defaultModel }, { findLocalServers }] = await Promise.all([
    import('../providers/open.ts'),
    import('../providers/local-servers.ts'),
  ])
  const name = defaultModel(providerSettings(loaded, env))
  if (name !== 'rehearsal') return { state: 'good', found: name }
  const local = (await findLocalServers()).find(({ models }) => models.length > 0)
  const fix = local
    ? `put "model: ${local.name}/${local.models[0]}" in ${loaded.places.user_config}`
    : 'export ANTHROPIC_API_KEY=…, or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY'
  return {
    state: 'warn',
    found: `no key is set, so models are played by the rehearsal${local ? `; ${local.name} is listening here` : ''}`,
    fix,
  }
}

async function port(wanted: number): Promise<Look> {
  const { promise, resolve: free } = Promise.withResolvers<boolean>()
  const server = createServer().once('error', () => free(false))
  server.listen(wanted, '127.0.0.1', () => server.close(() => free(true)))
  if (await promise) return { state: 'good', found: `${wanted} is free` }
  return { state: 'warn', found: `${wanted} is taken; serving takes the next free one`, fix: 'export TROUPE_PORT=…' }
}

/** What we keep must be ours to write and nobody else's to read. */
async function files(home: string): Promise<Look> {
  const there = await nearest(home)
  const writable = await access(there, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!writable) return { state: 'bad', found: `${there} cannot be written`, fix: 'export TROUPE_HOME=… to a folder of yours' }
  const open = []
  for (const path of [join(home, 'token'), join(home, 'troupe.db')]) {
    const found = await stat(path).catch(() => null)
    if (found !== null && (found.mode & 0o077) !== 0) open.push(path)
  }
  if (open.length > 0) return { state: 'bad', found: `others may read ${open.join(', ')}`, fix: `chmod 600 ${open.join(' ')}` }
  return { state: 'good', found: 'ours alone' }
}

async function nearest(path: string): Promise<string> {
  return (await isThere(path)) || path === dirname(path) ? path : nearest(dirname(path))
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
