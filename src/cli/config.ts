import type { Command } from 'commander'
import { placeHolds } from '../config/places.ts'
import { settingsOperations, type SettingsContext } from '../config/settings.ts'
import { addCommands, type CommandArea } from './operation-commands.ts'
import { columns, paint } from './terminal.ts'

/** The settings in this folder. */
export const settingsHere: CommandArea<SettingsContext> = {
  addOptions() {},
  within: (_options, _operation, work) => work({ env: process.env, cwd: process.cwd() }),
}

/** `troupe config show | set | unset | path | check` */
export function define(config: Command): void {
  addCommands(config, settingsOperations, settingsHere, {
    'settings.show': {
      print: ({ settings }) => columns(settings.map(({ key, value, source }) => [key, JSON.stringify(value), paint('dim', source)])),
    },
    'settings.list_places': {
      print: (places) =>
        columns(Object.entries(places).map(([name, place]) => [name, place, paint('dim', placeHolds[name as keyof typeof places])])), // its own keys
    },
  })
}
