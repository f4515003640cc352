import type { Command } from 'commander'
import { loadConfig, type LoadedConfig } from '../config/load.ts'
import { placeHolds } from '../config/places.ts'
import { settingsOperations, type SettingsContext } from '../config/settings.ts'
import { addCommands, type CommandArea } from './operation-commands.ts'
import { columns, paint, printResult } from './terminal.ts'
import { verb } from './verb.ts'

/** The settings in this folder. */
const settingsArea: CommandArea<SettingsContext> = {
  addOptions() {},
  within: (_options, _operation, work) => work({ env: process.env, cwd: process.cwd() }),
}

/** `troupe config show | set | unset | path | check` */
export function define(config: Command): void {
  addCommands(config, settingsOperations, settingsArea, {
    'settings.show': {
      print: ({ settings }) => columns(settings.map(({ key, value, source }) => [key, JSON.stringify(value), paint('dim', source)])),
    },
  })
  config.command('path').description('show which files and folders are used').action(onConfig(path))
  config.command('check').description('check the configuration files').action(onConfig(check))
}

function path({ places }: LoadedConfig, json: boolean): void {
  const rows = Object.entries(places).map(([name, place]) => [name, place, paint('dim', placeHolds[name as keyof typeof places])]) // its own keys
  printResult(json, places, columns(rows))
}

function check({ places, settings }: LoadedConfig, json: boolean): void {
  const sources = [...new Set(settings.map(({ source }) => source.replace(/:\d+$/, '')))].filter((source) => source !== 'default')
  const none = `No configuration yet, so the defaults hold; yours would be ${places.user_config}`
  printResult(json, { ok: true, sources }, sources.length === 0 ? none : `Good: ${sources.join(', ')}`)
}

function onConfig(work: (loaded: LoadedConfig, json: boolean) => void) {
  return verb(async (json) => work(await loadConfig({ env: process.env, cwd: process.cwd() }), json))
}
