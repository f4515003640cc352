import type { Command } from 'commander'
import { outsideAgentOperations } from '../api/agents/operations.ts'
import type { ServersContext } from '../config/mcp/context.ts'
import { findingLines } from './doctor.ts'
import { addCommands, type CommandArea } from './operation-commands.ts'
import { columns, paint } from './terminal.ts'

/** The outside agents of the user, seen from this folder. */
const agentsHere: CommandArea<ServersContext> = {
  addOptions() {},
  within: ({ dryRun }, _operation, work) => work({ env: process.env, cwd: process.cwd(), dry: dryRun === true }),
}

/** `troupe agents list | check | add` */
export function define(noun: Command): void {
  addCommands(noun, outsideAgentOperations, agentsHere, {
    'agent.list': {
      print: ({ agents }) =>
        agents.length === 0
          ? 'No outside agent is configured; add one: troupe agents add claude'
          : columns(agents.map(({ name, protocol, command, found }) => [name, protocol, found ?? paint('red', `${command} is not found`)])),
    },
    'agent.check': { finish: failUnlessOk, print: ({ findings }) => columns(findings.flatMap(findingLines)) },
    'agent.add': {
      finish: failUnlessOk,
      print: ({ name, entry, findings }) => {
        const fields = Object.entries(entry).map(([key, value]) => [`  ${key}`, [value].flat().join(' ') || 'none'])
        return `Added ${name}:\n${columns(fields)}\n${columns(findings.flatMap(findingLines))}`
      },
    },
  })
}

/** A script that goes on must learn that something is missing. */
function failUnlessOk<Output extends { ok: boolean }>(output: Output): Output {
  process.exitCode = output.ok ? 0 : 1
  return output
}
