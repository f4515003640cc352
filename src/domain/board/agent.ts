import * as z from 'zod'
import { defineFlow } from '../flow.ts'
import { Problem } from '../problem.ts'

/** The roles of a team. */
export type TeamRole = z.infer<typeof TeamRole>
export const TeamRole = z.enum(['planner', 'coder', 'code_reviewer'])

/** The name of an agent: its role and a number. */
export const AgentId = z.string().regex(/^(coder|code-reviewer|planner)-[0-9]+$/, 'coder-N, code-reviewer-N or planner-N')

/** What an agent is at, as the board shows it. */
// oxfmt-ignore
export const agentFlow = defineFlow({
  name: 'agent',
  states: ['STARTING', 'IDLE', 'WORKING', 'REVIEWING', 'WAITING', 'HANDOFF'],
  initial: 'STARTING',
  moves: {
    start:     { from: ['STARTING'],                        to: 'IDLE',      by: ['supervisor'] },
    work:      { from: ['IDLE', 'WAITING'],                 to: 'WORKING',   by: ['supervisor'] },
    review:    { from: ['IDLE'],                            to: 'REVIEWING', by: ['supervisor'] },
    wait:      { from: ['WORKING'],                         to: 'WAITING',   by: ['supervisor'] },
    rest:      { from: ['WORKING', 'REVIEWING', 'WAITING'], to: 'IDLE',      by: ['supervisor'] },
    hand_over: { from: ['WORKING', 'REVIEWING'],            to: 'HANDOFF',   by: ['supervisor'] },
  },
})

/** A registered agent. Its generation is new at each registration, so that a ghost with the same name is told apart. */
export type BoardAgent = z.infer<typeof BoardAgent>
export const BoardAgent = z.object({
  id: AgentId,
  board_id: z.string(),
  role: TeamRole,
  status: z.enum(agentFlow.states),
  current_task: z.string().nullable().default(null),
  generation: z.string().min(1),
  lease_expires: z.iso.datetime(),
  heartbeat: z.iso.datetime(),
  terminal: z.string().default('unknown'),
  iterations_total: z.int().nonnegative().default(0),
  context_percent: z.int().min(0).max(100).default(0),
})

const prefixes = { planner: 'planner', coder: 'coder', code_reviewer: 'code-reviewer' } as const satisfies Record<TeamRole, string>

/** `code_reviewer` and 2 are `code-reviewer-2`. */
export function agentId(role: TeamRole, number: number): string {
  return `${prefixes[role]}-${number}`
}

/** The role an agent's id states; an id that is none is refused with what would be one. */
export function roleOfAgent(id: string): TeamRole {
  const role = TeamRole.options.find((name) => id.startsWith(`${prefixes[name]}-`))
  if (role !== undefined && AgentId.safeParse(id).success) return role
  throw new Problem('bad_input', `${JSON.stringify(id)} is not an agent id; use coder-N, code-reviewer-N or planner-N, such as coder-1`)
}
