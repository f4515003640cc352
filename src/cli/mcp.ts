import type { Command } from 'commander'
import { serveMcpStdio } from '../mcp/stdio.ts'
import { say } from './terminal.ts'
import { openWorkflowServices } from './workflow/services.ts'

/** `troupe mcp`: the workflows of this project for any MCP client, over stdin and stdout; with an agent's id also its part of the board. */
export function define(mcp: Command): void {
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
