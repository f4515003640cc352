import * as z from 'zod'
import { jsonObjectsIn } from '../../domain/json-in-text.ts'
import { asProblem } from '../../domain/problem.ts'
import type { TeamRole } from '../../domain/board-agent.ts'
import { makeMove, movesOf } from './moves.ts'
import type { MoveSite } from './move.ts'

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

/** Makes the moves an answer names; gives back what went wrong, for the agent to read, or null. */
export async function takeHandBack(role: TeamRole, site: MoveSite, text: string): Promise<string | null> {
  const asked = jsonObjectsIn(text)
    .toReversed()
    .map(({ value }) => HandBack.safeParse(value).data)
    .find((found) => found !== undefined)
  if (asked === undefined) return null
  for (const { move, input } of asked.moves) {
    try {
      const { ends } = await makeMove(role, site, move, input)
      if (ends === true) return null
    } catch (error) {
      return `${move} was refused: ${asProblem(error).message}`
    }
  }
  return null
}
