import type { Command } from 'commander'
import { backupOperations, type BackupContext } from '../store/backup.ts'
import { addCommands, type CommandArea } from './operation-commands.ts'
import { withStore } from './open/store.ts'
import packageJson from '../../package.json' with { type: 'json' }

const backupArea: CommandArea<BackupContext> = {
  addOptions() {},
  within: (_options, _operation, work) => withStore((driver) => work({ driver, version: packageJson.version })),
}

/** `troupe export FILE`, `troupe import FILE` */
export function define(noun: Command): void {
  addCommands(
    noun,
    backupOperations.filter(({ command }) => command?.startsWith(`${noun.name()} `)),
    backupArea,
  )
}
