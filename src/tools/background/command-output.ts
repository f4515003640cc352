import * as z from 'zod'
import { defineTool } from '../gate.ts'
import { backgroundOf, lookAnswer } from './answer.ts'

/** A model that asks again and again learns no more than one that waits. */
const WAIT_MS = 5_000

/** Reads what a background command printed since the last look, or stops it. */
export const commandOutputTool = defineTool({
  name: 'command_output',
  description: 'Read new output of a background command, or stop it.',
  required_permissions: ['read_files', 'execute_commands'],
  input: z.strictObject({ name: z.string().min(1).max(100), stop: z.boolean().default(false) }),
  run: async ({ name, stop }, context) => {
    const command = backgroundOf(context).find(name)
    if (stop) {
      command.stop()
      await command.over()
    } else await command.next(WAIT_MS, context.signal)
    return lookAnswer(context, name, command)
  },
})
