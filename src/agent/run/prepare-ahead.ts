import { executeCommandTool, prepareCommand } from '../../tools/execute-command.ts'
import type { RunContext } from './context.ts'

/** The first request to the model goes out before anything else is done. */
const AFTER_MS = 1

/** Has the sandbox of the first command built while the model thinks, where the role has commands and the model does not act by itself. */
export function prepareAhead({ gate, specs, performer, signal }: RunContext): void {
  if (performer.acts !== undefined || !specs.some(({ name }) => name === executeCommandTool.name)) return
  setTimeout(() => {
    if (!signal.aborted) void prepareCommand(gate)
  }, AFTER_MS).unref()
}
