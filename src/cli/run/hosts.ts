import type { Command } from 'commander'
import { hostOperations } from '../../agent/settled-hosts.ts'
import { addCommands } from '../operation-commands.ts'
import { commandsArea } from './allowed.ts'

/** `troupe hosts`: whom commands may reach in a project because a person said so. */
export function define(command: Command): void {
  addCommands(command, hostOperations, commandsArea)
}
