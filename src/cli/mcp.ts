import type { Command } from 'commander'
import { serverOperations } from '../config/mcp/operations.ts'
import type { ServersContext } from '../config/mcp/context.ts'
import type { ServerView } from '../config/mcp/view.ts'
import { serveMcpStdio } from '../mcp/stdio.ts'
import { addCommands, type CommandArea } from './operation-commands.ts'
import { columns, paint, say } from './terminal.ts'
import { openWorkflowServices } from './workflow/services.ts'

/** The MCP servers whose tools the agents in this folder use. */
const serversHere: CommandArea<ServersContext> = {
  addOptions() {},
  within: ({ dryRun }, _operation, work) => work({ env: process.env, cwd: process.cwd(), dry: dryRun === true }),
}

/** `troupe mcp`: the workflows of this project for any MCP client, over stdin and stdout; with an agent's id also its part of the board. */
export function define(mcp: Command): void {
  addCommands(mcp, serverOperations, serversHere, {
    'mcp.list': {
      print: ({ servers, faults }) => {
        for (const fault of faults) say(fault)
        return servers.length === 0 ? 'No MCP server is configured; add one: troupe mcp add' : listed(servers)
      },
    },
  })
  mcp.action(async () => {
    const services = await openWorkflowServices()
    const isAgent = Boolean(process.env['TROUPE_AGENT_ID'] || process.env['LIZA_AGENT_ID'])
    const board = isAgent ? await (await import('./board/mcp.ts')).openBoardTools() : null
    if (process.stdin.isTTY)
      say('This command is for an MCP client, not a person; docs/mcp-clients.md shows how to add it to yours. Ctrl+D ends it.')
    try {
      await serveMcpStdio(board === null ? services : { ...services, more: board.tools })
    } finally {
      await board?.close()
      await services.close()
    }
  })
}

function listed(servers: readonly ServerView[]): string {
  return columns(
    servers.flatMap(({ name, state, where, tools }) => [
      [name, state, paint('dim', where)],
      ...tools.map((tool) => [
        `  ${tool.name}`,
        tool.why_refused ?? `${tool.class ?? 'off'}${tool.asks === null ? '' : ', asks'}`,
        paint('dim', tool.roles.join(', ') || 'no role'),
      ]),
    ]),
  )
}
