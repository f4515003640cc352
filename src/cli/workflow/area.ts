import { dryRun } from '../../store/dry-run.ts'
import type { WorkflowContext } from '../../workflows/context.ts'
import type { CommandArea } from '../operation-commands.ts'
import { openWorkflowServices } from './services.ts'

/** The workflows and runs of this folder, for the person at the terminal. */
export const workflowArea: CommandArea<WorkflowContext> = {
  addOptions: () => undefined,
  async within({ dryRun: isTried }, _operation, work) {
    const services = await openWorkflowServices()
    try {
      return isTried === true
        ? await dryRun(await services.store(), (tx) => work({ ...services, store: async () => tx }))
        : await work(services)
    } finally {
      await services.close()
    }
  },
}
