import { ExitCommand } from '../../domain/job/exit-command.ts'
import { defineTool } from '../../tools/gate.ts'

/** The other way to end a step: the same command as in text, checked before it is taken. */
export const exitTool = defineTool({
  name: 'exit',
  description: 'End this step with its exit command. Calling it counts as writing the command.',
  required_permissions: ['read_files'],
  input: ExitCommand,
  run: async (command) => ({ output: 'the exit command is recorded', details: { exit_command: command }, ends: 'completed' }),
})
