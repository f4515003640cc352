import { mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { maskedAddress } from '../domain/text/key-shapes.ts'
import { maskedRecord } from '../domain/text/mask.ts'
import { writeWhole } from '../sandbox/files/write-whole.ts'
import { checkSettings, loadConfig } from './load.ts'
import { placeHolds, placesFor, type Environment } from './places.ts'
import { textOfSettings } from './yaml-file.ts'

/** Whose settings are meant: those of this user, in a folder. */
export interface SettingsContext {
  env: Environment
  cwd: string
}

/** The store may have a password in its address, and so may a server of models; whoever knows the path of a notification may write to it. */
function shown(key: string, value: unknown): unknown {
  if (/^notifications\..*url$/.test(key) && typeof value === 'string') return `${new URL(value).origin}/…`
  return key === 'store' && typeof value === 'string' ? maskedAddress(value) : maskedRecord(value, [])
}

const showSettings = defineOperation({
  name: 'settings.show',
  summary: 'Show every setting in force and where it came from',
  by: ['person'],
  effect: 'read',
  command: 'config show',
  input: z.strictObject({}),
  output: z.object({
    settings: z.array(z.object({ key: z.string(), value: z.unknown(), source: z.string() })),
    places: z.record(z.string(), z.string()),
  }),
  example: {},
  tell: ({ settings }) => settings.map(({ key, value, source }) => `${key} ${JSON.stringify(value)} (${source})`).join('\n'),
  run: async ({ env, cwd }: SettingsContext) => {
    const { settings, places } = await loadConfig({ env, cwd })
    return { settings: settings.map(({ key, value, source }) => ({ key, value: shown(key, value), source })), places: { ...places } }
  },
})

/** Other settings, comments and their order stay as they are. */
const changesAtTerminal = {
  http: 'settings can widen what agents may do, so they are changed at the terminal, where no page can do it in your name',
  dry_run: 'showing the settings tells what is in force before',
}

const key = z
  .string()
  .regex(/^\w[\w*.-]*$/, 'is not a key such as limits.max_turns')
  .describe('its key, such as limits.max_turns')
const SettingChange = z.object({ key: z.string(), value: z.unknown(), file: z.string() })

const setSetting = defineOperation({
  name: 'settings.set',
  summary: 'Set a value in your own settings file',
  by: ['person'],
  effect: 'change',
  command: 'config set <key> <value>',
  absent: changesAtTerminal,
  input: z.strictObject({ key, value: z.string().describe('the value as YAML writes it: 50, true, ask') }),
  output: SettingChange,
  example: { key: 'limits.max_turns', value: '50' },
  tell: ({ key: name, value, file }) => `${name} is ${JSON.stringify(shown(name, value))} in ${file}`,
  run: async (context: SettingsContext, { key: name, value: text }) => {
    const { parse } = await import('yaml')
    const value: unknown = parse(text)
    const file = await changeUserFile(context, (document) => document.setIn(pathOf(name), value))
    return { key: name, value, file }
  },
})

const unsetSetting = defineOperation({
  name: 'settings.unset',
  summary: 'Take a value out of your own settings file',
  by: ['person'],
  effect: 'change',
  command: 'config unset <key>',
  absent: changesAtTerminal,
  input: z.strictObject({ key }),
  output: SettingChange.omit({ value: true }),
  example: { key: 'limits.max_turns' },
  tell: ({ key: name, file }) => `${name} is no longer set in ${file}`,
  run: async (context: SettingsContext, { key: name }) => {
    const file = await changeUserFile(context, (document, at) => {
      if (!document.hasIn(pathOf(name))) throw new Problem('not_found', `${name} is not set in ${at}`)
      document.deleteIn(pathOf(name))
    })
    return { key: name, file }
  },
})

const listPlaces = defineOperation({
  name: 'settings.list_places',
  summary: 'Show which files and folders are used, and what they contain',
  by: ['person'],
  effect: 'read',
  command: 'config path',
  input: z.strictObject({}),
  output: z.record(z.enum(Object.keys(placeHolds) as (keyof typeof placeHolds)[]), z.string()), // the keys of that table are its places
  example: {},
  tell: (places) =>
    Object.entries(places)
      .map(([name, place]) => `${name} ${place}`)
      .join('\n'),
  run: async ({ env, cwd }: SettingsContext) => (await loadConfig({ env, cwd })).places,
})

const checkFiles = defineOperation({
  name: 'settings.check',
  summary: 'Check the settings files, and list those that are in force',
  by: ['person'],
  effect: 'read',
  command: 'config check',
  input: z.strictObject({}),
  output: z.object({ ok: z.literal(true), sources: z.array(z.string()), user_config: z.string() }),
  example: {},
  tell: ({ sources, user_config }) =>
    sources.length === 0 ? `No settings yet, so the defaults hold; yours would be ${user_config}` : `Good: ${sources.join(', ')}`,
  run: async ({ env, cwd }: SettingsContext) => {
    const { places, settings } = await loadConfig({ env, cwd })
    const sources = new Set(settings.map(({ source }) => source.replace(/:\d+$/, '')))
    return { ok: true as const, sources: [...sources].filter((source) => source !== 'default'), user_config: places.user_config }
  },
})

/** What can be done with settings. */
export const settingsOperations = [showSettings, setSetting, unsetSetting, listPlaces, checkFiles] as const

type Document = ReturnType<(typeof import('yaml'))['parseDocument']>

/** Changes the settings of the user. A file that the next start would refuse is not written, and one that has a fault is not changed. */
export async function changeUserFile({ env, cwd }: SettingsContext, change: (document: Document, file: string) => void): Promise<string> {
  const { user_config: file } = placesFor(env, cwd)
  await loadConfig({ env, cwd })
  const { parseDocument } = await import('yaml')
  const document = parseDocument((await textOfSettings(file)) ?? '')
  change(document, file)
  await checkSettings(document.toJS() ?? {}, file)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeWhole(await realpath(file).catch(() => file), document.toString()) // a link stays one
  return file
}

/** The name of a model may hold dots of its own. */
function pathOf(name: string): string[] {
  const [head = '', ...rest] = name.split('.')
  return head === 'models' ? [head, rest.join('.')] : [head, ...rest]
}
