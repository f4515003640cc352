import * as z from 'zod'
import { finalText, lastAnswer } from '../../agent/final-text.ts'
import { jsonObjectsIn } from '../../domain/text/json-in-text.ts'
import type { Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { defineTool } from '../../tools/gate.ts'
import type { Tool } from '../../tools/tool.ts'

/** What an agent hands in for a step: what came of it, and the variables that conditions and loops look at. */
export type HandedIn = z.infer<typeof HandedIn>
const HandedIn = z.strictObject({ output: z.string().default(''), context: z.record(z.string(), z.unknown()).default({}) })

const NAME = 'finish_step'

/** Ends the step. Only the role that plays the step has it; whom it delegates to reports back instead. */
export function finishStepTool(agentRole: string): Tool<HandedIn> {
  return defineTool({
    name: NAME,
    description: 'Hand in the step when it is done: its result as output, and in context the variables the step asks you to set.',
    required_permissions: ['read_files'],
    roles: [agentRole],
    input: HandedIn,
    run: async (handed) => ({ output: 'the step is handed in', details: { handed }, ends: 'completed' }),
  })
}

/** What a run that has ended handed in: by the tool, or as its last words with an object that holds `context`. */
export async function handedIn(driver: Driver, run: Run): Promise<HandedIn> {
  const last = await lastAnswer(driver, run, NAME)
  const said = await finalText(driver, run)
  if (last === null) return { output: said, context: contextIn(said) }
  const { output, context } = HandedIn.parse(last.details['handed'])
  return { output: output.trim() === '' ? said : output, context }
}

/** An outside agent has no tools of ours; it can still set variables in its text. */
function contextIn(text: string): HandedIn['context'] {
  const With = z.looseObject({ context: HandedIn.shape.context })
  const found = jsonObjectsIn(text).findLast(({ value }) => With.safeParse(value).success && Object.hasOwn(Object(value), 'context'))
  return found === undefined ? {} : With.parse(found.value).context
}
