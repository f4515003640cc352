// The floor: a server of the SDK with one tool that takes the same arguments and answers with as much, and thinks about nothing.
import { readFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

const answer = process.argv[2] === undefined ? {} : JSON.parse(readFileSync(process.argv[2], 'utf8'))
const inputSchema = z.object({
  workflowId: z.string().optional(),
  completedSteps: z.array(z.string()).optional(),
  context: z.record(z.string(), z.unknown()).optional(),
})

serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '0' })
  server.registerTool('workflow_next', { description: 'Bare.', inputSchema, outputSchema: z.looseObject({}) }, async () => ({
    content: [{ ...answer.content[0], text: JSON.stringify(answer.structuredContent) }, ...answer.content.slice(1)],
    structuredContent: answer.structuredContent,
  }))
  return server
})
