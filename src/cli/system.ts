import type { Command } from 'commander'
import { searchAll } from '../api/search.ts'
import { systemOperations, type SystemContext } from '../api/system.ts'
import { providerSettings } from '../config/wiring.ts'
import { defaultModel } from '../providers/open.ts'
import { addCommands, type CommandArea } from './operation-commands.ts'
import { openParts } from './open/parts.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** This process, in the folder it was started in. */
const systemArea: CommandArea<SystemContext> = {
  addOptions() {},
  async within(_options, _operation, work) {
    const workspace = process.cwd()
    const { loaded, env, driver, sandbox } = await openParts(workspace)
    try {
      return await work({ version: packageJson.version, driver, workspace, model: defaultModel(providerSettings(loaded, env)), sandbox })
    } finally {
      await driver.close()
    }
  },
}

/** `troupe status`, `troupe search`, `troupe needs`, `troupe running`, `troupe projects` */
export function define(noun: Command): void {
  addCommands(
    noun,
    [...systemOperations, searchAll].filter(({ command }) => command?.split(' ')[0] === noun.name()),
    systemArea,
  )
}
