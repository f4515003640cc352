import { dirname } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { issueText, readPlaced } from '../domain/text/schema-error.ts'
import { isLink } from '../sandbox/files/is-link.ts'
import { placesFor, type Environment, type Places } from './places.ts'
import { Config } from './schema.ts'
import { fromProject, type ConfiguredValue } from './trust.ts'
import { readYamlFile } from './yaml-file.ts'

/** The configuration in force, where its files lie, and where each value came from. */
export interface LoadedConfig {
  config: Config
  places: Places
  settings: { key: string; value: unknown; source: string }[]
}

export interface ConfigSources {
  env: Environment
  cwd: string
  /** Values given on the command line, by their key in the configuration. */
  flags?: Readonly<Record<string, unknown>>
}

/** Flags over environment over project file over user file over defaults; the project file may only tighten. */
export async function loadConfig({ env, cwd, flags = {} }: ConfigSources): Promise<LoadedConfig> {
  const places = placesFor(env, cwd)
  const defaults = new Map(leavesOf(Config.parse({})).map((leaf) => [keyOf(leaf.path), leaf.value]))
  const chosen = new Map<string, ConfiguredValue>()
  const choose = (setting: ConfiguredValue) => chosen.set(keyOf(setting.path), setting)

  for (const setting of await fromFile(places.user_config)) choose(setting)
  refuseLinks(places.project_config)
  for (const setting of await fromFile(places.project_config)) {
    const key = keyOf(setting.path)
    const before = chosen.get(key)
    const value = fromProject(setting, before ? before.value : defaults.get(key), places.user_config)
    if (!before || before.value !== value) choose({ ...setting, value })
  }
  for (const setting of [...fromEnvironment(env), ...fromFlags(flags)]) choose(setting)

  await needTools([...chosen.values()])
  const config = Config.parse(nested([...chosen.values()]))
  const settings = leavesOf(config).map(({ path, value }) => ({
    key: keyOf(path),
    value,
    source: chosen.get(keyOf(path))?.source ?? 'default',
  }))
  return { config, places, settings }
}

/** Loads the tools only where a rule names one. */
async function needTools(settings: readonly ConfiguredValue[]): Promise<void> {
  for (const { path, source } of settings) {
    if (path[0] === 'approvals' && path[1] !== undefined) (await import('../tools/all.ts')).needTool(path[1], source)
  }
}

/** A command could turn a link elsewhere and lift what it is held to; and what it names is not the project's to have us quote. */
function refuseLinks(file: string): void {
  const link = [dirname(file), file].find(isLink)
  if (link !== undefined) throw new Problem('bad_input', `${link} is a symbolic link; a project's settings must be a file inside it`)
}

async function fromFile(file: string): Promise<ConfiguredValue[]> {
  const yaml = await readYamlFile(file)
  if (yaml === null) return []
  const sourceOf = (path: readonly PropertyKey[]) => `${file}:${yaml.lineOf(path)}`
  return checked(yaml.value, sourceOf)
}

function fromEnvironment(env: Environment): ConfiguredValue[] {
  const port = env['TROUPE_PORT']
  return [
    ...(env['TROUPE_STORE'] ? checked({ store: env['TROUPE_STORE'] }, () => 'TROUPE_STORE') : []),
    ...(port ? checked({ port: /^\d+$/.test(port) ? Number(port) : port }, () => 'TROUPE_PORT') : []),
  ]
}

function fromFlags(flags: Readonly<Record<string, unknown>>): ConfiguredValue[] {
  return Object.entries(flags).flatMap(([key, value]) => (value === undefined ? [] : checked({ [key]: value }, () => `--${key}`)))
}

/** Refuses the settings of one file that the next start would refuse. */
export async function checkSettings(value: unknown, file: string): Promise<void> {
  await needTools(checked(value, () => file))
}

/** One layer by itself fits the schema, or each of its misfits is said with its place. */
function checked(value: unknown, sourceOf: (path: readonly PropertyKey[]) => string): ConfiguredValue[] {
  const read = readPlaced(Config, value)
  if ('value' in read) return leavesOf(value).map((leaf) => ({ ...leaf, source: sourceOf(leaf.path) }))
  const misfits = read.misfits.slice(0, FAULTS_AT_MOST)
  const faults = misfits.map(({ path, message, meant }) => {
    const field = path.join('.') || 'the configuration'
    return `${sourceOf(path)}: ${issueText({ path: field, message, ...(meant !== null && { meant }) })}`
  })
  const message =
    faults.length === 1 ? `${faults[0]}` : `${faults.length} faults in the settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`
  throw new Problem('bad_input', message, { details: { path: misfits[0]?.path, faults } })
}

/** As many faults as a person wants to read about one file. */
const FAULTS_AT_MOST = 20

interface Leaf {
  path: readonly string[]
  value: unknown
}

/** Everything that is not itself an object; a list is one value. */
function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}

/** The way back from leaves. Names were checked before, so none of them is `__proto__`. */
function nested(leaves: readonly Leaf[]): object {
  const byHead = Map.groupBy(leaves, ({ path }) => path[0] ?? '')
  return Object.fromEntries(
    [...byHead].map(([head, inside]) => {
      const whole = inside.find(({ path }) => path.length === 1)
      return [head, whole ? whole.value : nested(inside.map(({ path, value }) => ({ path: path.slice(1), value })))]
    }),
  )
}

function keyOf(path: readonly string[]): string {
  return path.join('.')
}
