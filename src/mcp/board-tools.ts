import * as z from 'zod'
import { movesOf } from '../board/team/moves.ts'
import type { BoardMove } from '../board/team/move.ts'
import type { OutsideSession } from '../board/team/outside-session.ts'
import { defineMcpTool, hintsOf, type McpTool } from './tool.ts'

const Made = z.object({ output: z.string(), ended: z.boolean().describe('Your part is over; ask for the next assignment.') })

/** The tools of an agent of the board: asking for work, and exactly the moves of its role. Who it is comes from the server's environment. */
export function boardMcpTools(post: OutsideSession): McpTool[] {
  return [nextTool(post), ...movesOf(post.role).map((move) => moveTool(post, move))]
}

function nextTool(post: OutsideSession): McpTool {
  return defineMcpTool({
    name: 'next_assignment',
    title: 'Get the next assignment',
    description: `Gives ${post.agent} its next work: a prompt to follow and the folder to work in; null when there is none. Call it again when your part is over.`,
    input: z.strictObject({ wait_seconds: z.int().min(0).max(50).default(0).describe('how long to wait for work') }),
    output: z.object({ assignment: z.object({ task: z.string().nullable(), workspace: z.string(), prompt: z.string() }).nullable() }),
    annotations: hintsOf('change', true),
    example: { wait_seconds: 20 },
    run: async ({ wait_seconds }) => {
      const assignment = await post.next(wait_seconds * 1_000)
      return { structured: { assignment }, forUser: `${post.agent}: ${assignment?.task ?? (assignment === null ? 'no work' : 'planning')}` }
    },
  })
}

function moveTool(post: OutsideSession, { name, description, input, example }: BoardMove): McpTool {
  return defineMcpTool({
    name,
    title: name.replaceAll('_', ' '),
    description,
    input,
    output: Made,
    annotations: hintsOf('change'),
    example,
    run: async (given) => {
      const { output, ends = false } = await post.move(name, given)
      return { structured: { output, ended: ends }, forUser: `${post.agent}: ${output}` }
    },
  })
}
