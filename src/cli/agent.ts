import type { Command } from 'commander'
import { agentIdFrom } from '../board/team/identity.ts'
import { TeamRole } from '../domain/board/agent.ts'
import { Problem } from '../domain/problem.ts'
import { superviseTeam } from './team/team.ts'
import { stationOptions, type StationOptions } from './team/open-team.ts'

/** `troupe agent ROLE`: one agent of the board in this process, under the id in TROUPE_AGENT_ID. */
export function define(agent: Command): void {
  stationOptions(agent)
    .argument('<role>', `${TeamRole.options.join(', ')}; TROUPE_AGENT_ID names it, such as coder-1`, roleOf)
    .option('--until-done', 'stop when the goal is reached, or when only a person can continue')
    .action(async (role: TeamRole, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StationOptions & { untilDone?: boolean }>()
      const id = agentIdFrom(process.env, role)
      const terminal = process.env['TTY'] ?? (process.stdin.isTTY ? '/dev/tty' : 'unknown')
      process.exitCode = await superviseTeam(options, [{ role, id, terminal }], options.untilDone === true)
    })
}

function roleOf(given: string): TeamRole {
  const parsed = TeamRole.safeParse(given.replaceAll('-', '_'))
  if (parsed.success) return parsed.data
  throw new Problem('bad_input', `${given} is not a team role; the roles are ${TeamRole.options.join(', ')}`)
}
