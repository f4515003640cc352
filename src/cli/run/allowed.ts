import { resolve } from 'node:path'
import type { Command } from 'commander'
import { commandOperations, type CommandsContext } from '../../agent/allowed-commands.ts'
import { dryRun } from '../../store/dry-run.ts'
import { addCommands, type CommandArea } from '../operation-commands.ts'
import { withStore } from '../open/store.ts'

export const commandsArea: CommandArea<CommandsContext> = {
  addOptions() {},
  within: ({ dryRun: dry }, _operation, work) =>
    withStore((driver) => {
      const at = { root: resolve('.'), now: () => new Date() }
      return dry === true ? dryRun(driver, (tx) => work({ ...at, driver: tx })) : work({ ...at, driver })
    }),
}

/** `troupe commands`: what a person allowed from now on. */
export function define(command: Command): void {
  addCommands(command, commandOperations, commandsArea)
}
