import { roleOfAgent, type TeamRole } from '../../domain/board-agent.ts'
import { Problem } from '../../domain/problem.ts'

/** The id an agent was given by whoever started it; null when it is to be given the first free one. */
export function agentIdFrom(env: Readonly<Record<string, string | undefined>>, role: TeamRole): string | null {
  const id = givenId(env)
  if (id === null) return null
  const stated = roleOfAgent(id)
  if (stated === role) return id
  throw new Problem('bad_input', `${id} is the id of a ${stated}, but a ${role} is to be started; change the id or the role`)
}

/** The id in the environment, under our name for it or under its alias. */
export function givenId(env: Readonly<Record<string, string | undefined>>): string | null {
  const [ours, alias] = [env['TROUPE_AGENT_ID'] || null, env['LIZA_AGENT_ID'] || null]
  if (ours !== null && alias !== null && ours !== alias) {
    throw new Problem('bad_input', `TROUPE_AGENT_ID is ${ours} and LIZA_AGENT_ID is ${alias}; they mean the same, so set only one`)
  }
  return ours ?? alias
}
