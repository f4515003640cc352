import type { Command } from 'commander'
import { serveMcpStdio } from '../mcp/stdio.ts'
import { openWorkflowServices } from './workflow-services.ts'

/** `troupe mcp`: the workflows of this project for any MCP client, over stdin and stdout. */
export function define(mcp: Command): void {
  mcp.action(async () => {
    const services = await openWorkflowServices()
    try {
      await serveMcpStdio(services)
    } finally {
      await services.close()
    }
  })
}
