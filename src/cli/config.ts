import type { Command } from 'commander'
import { loadConfig, type LoadedConfig } from '../config/load.ts'
import { maskedAddress } from '../domain/text/key-shapes.ts'
import { maskedRecord } from '../domain/text/mask.ts'
import { placeHolds } from '../config/places.ts'
import { columns, paint, printResult } from './terminal.ts'
import { verb } from './verb.ts'

/** `troupe config show | path | check` */
export function define(config: Command): void {
  config.command('show').description('show every setting in force and where it came from').action(onConfig(show))
  config.command('path').description('show which files and folders are used').action(onConfig(path))
  config.command('check').description('check the configuration files').action(onConfig(check))
}

function show({ settings: inForce, places }: LoadedConfig, json: boolean): void {
  const settings = inForce.map(({ key, value, source }) => ({ key, value: shown(key, value), source }))
  const rows = settings.map(({ key, value, source }) => [key, JSON.stringify(value), paint('dim', source)])
  printResult(json, { settings, places }, columns(rows))
}

/** The store may have a password in its address, and so may a server of models. */
function shown(key: string, value: unknown): unknown {
  return key === 'store' && typeof value === 'string' ? maskedAddress(value) : maskedRecord(value, [])
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
