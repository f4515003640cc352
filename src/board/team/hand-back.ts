import * as z from 'zod'
import { jsonObjectsIn } from '../../domain/text/json-in-text.ts'
import { asProblem } from '../../domain/problem.ts'
import type { TeamRole } from '../../domain/board/agent.ts'
import { makeMove, movesOf } from './moves.ts'
import type { MoveContext } from './move.ts'

const HandBack = z.object({ moves: z.array(z.object({ move: z.string(), input: z.unknown() })).min(1) })

/** What an agent without our tools is told: how to say what it wants done on the board. */
export function handBackForm(role: TeamRole): string {
  const examples = movesOf(role).map(({ name, description, example }) => `- ${name}: ${description} ${JSON.stringify(example)}`)
  return [
    'You have no tools for the board. End your last message with one JSON object of the moves you make, in order:',
    '{"moves": [{"move": "NAME", "input": {…}}]}',
    ...examples,
  ].join('\n')
}

/** What came of the moves that an agent said in words. */
interface HandedBack {
  /** The move that was refused, and why. */
  refused: string | null
  /** What it asked to read. */
  read: string | null
}

/** Makes the moves an answer names, up to the first that is refused. */
export async function takeHandBack(role: TeamRole, context: MoveContext, text: string): Promise<HandedBack> {
  const asked = jsonObjectsIn(text)
    .toReversed()
    .map(({ value }) => HandBack.safeParse(value).data)
    .find((found) => found !== undefined)
  const told: string[] = []
  const done = (refused: string | null) => ({ refused, read: told.length === 0 ? null : told.join('\n\n') })
  for (const { move, input } of asked?.moves ?? []) {
    try {
      const { ends, read, output } = await makeMove(role, context, move, input)
      if (read === true) told.push(`${move} says:\n${output}`)
      if (ends === true) return done(null)
    } catch (error) {
      return done(`${move} was refused: ${asProblem(error).message}`)
    }
  }
  return done(null)
}
