import type { Command } from 'commander'
import { loadConfig, type LoadedConfig } from '../config/load.ts'
import { columns, paint, print, printJson, printResult } from './terminal.ts'
import { wantsJson } from './verb.ts'

/** `troupe config show | path | check` */
export function define(config: Command): void {
  config.command('show').description('show every setting in force and where it came from').action(verb(show))
  config.command('path').description('show which files and folders are used').action(verb(path))
  config.command('check').description('check the configuration files').action(verb(check))
}

function show({ settings, places }: LoadedConfig, json: boolean): void {
  if (json) return printJson({ settings, places })
  print(columns(settings.map(({ key, value, source }) => [key, JSON.stringify(value), paint('dim', source)])))
}

function path({ places }: LoadedConfig, json: boolean): void {
  printResult(json, places, columns(Object.entries(places)))
}

function check({ places, settings }: LoadedConfig, json: boolean): void {
  const sources = [...new Set(settings.map(({ source }) => source.replace(/:\d+$/, '')))].filter((source) => source !== 'default')
  if (json) return printJson({ ok: true, sources })
  print(
    sources.length === 0
      ? `No configuration yet, so the defaults hold; yours would be ${places.user_config}`
      : `Good: ${sources.join(', ')}`,
  )
}

function verb(run: (loaded: LoadedConfig, json: boolean) => void) {
  return async (_options: unknown, command: Command): Promise<void> => {
    run(await loadConfig({ env: process.env, cwd: process.cwd() }), wantsJson(command))
  }
}
