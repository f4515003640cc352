import { agentId, roleOfAgent, type TeamRole } from '../../domain/board/agent.ts'
import { Problem } from '../../domain/problem.ts'

/** The id an agent was given by the one who started it. An agent never names itself: two that did would take each other's place. */
export function agentIdFrom(env: Readonly<Record<string, string | undefined>>, role: TeamRole): string {
  const id = givenId(env)
  if (id === null) {
    const example = agentId(role, 1)
    throw new Problem('bad_input', `TROUPE_AGENT_ID is not set; set it to the id of the agent, such as ${example}. A team names its own`)
  }
  const stated = roleOfAgent(id)
  if (stated === role) return id
  throw new Problem('bad_input', `${id} is the id of a ${stated}, but a ${role} is being started; change the id or the role`)
}

/** The id in the environment, under our name for it or under its alias. */
export function givenId(env: Readonly<Record<string, string | undefined>>): string | null {
  const [ours, alias] = [env['TROUPE_AGENT_ID'] || null, env['LIZA_AGENT_ID'] || null]
  if (ours !== null && alias !== null && ours !== alias) {
    throw new Problem('bad_input', `TROUPE_AGENT_ID is ${ours} and LIZA_AGENT_ID is ${alias}; they mean the same, so set only one`)
  }
  return ours ?? alias
}
