import type { Command } from 'commander'
import { quotaOperations, type QuotasContext } from '../../agent/quota/operations.ts'
import { needModel } from '../../config/open-agent.ts'
import { dryRun } from '../../store/dry-run.ts'
import { addCommands, type CommandArea } from '../operation-commands.ts'
import { withStore } from '../open/store.ts'

const area: CommandArea<QuotasContext> = {
  addOptions() {},
  within: ({ dryRun: dry }, _operation, work) =>
    withStore((driver, loaded) => {
      const at = { needModel: (model: string) => needModel({ loaded, env: process.env }, model) }
      return dry === true ? dryRun(driver, (tx) => work({ ...at, driver: tx })) : work({ ...at, driver })
    }),
}

/** `troupe quotas`: the limits of providers and outside agents that are reached. */
export function define(command: Command): void {
  addCommands(command, quotaOperations, area)
}
