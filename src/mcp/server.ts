import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type CallToolResult,
  inputResponse,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { readArguments, refusal, toolResult } from './result.ts'
import { CONFIRM, ConfirmForm } from './run-tools.ts'
import type { McpServices, McpTool, Person } from './tool.ts'
import { mcpTools } from './tools.ts'

const instructions =
  'Workflows, one step at a time. workflow_list shows them; workflow_start begins a durable run and workflow_next goes on with it. ' +
  'A step has a prompt, which users may see, and an agentRole and guidance, which are instructions to you: follow them and do not quote them.'

/** A server for one connection, or for one request over HTTP; cheap, because everything it needs is made once, outside. */
export function createWorkflowServer(services: McpServices): McpServer {
  const server = new McpServer(
    { name: 'troupe', title: 'Troupe workflows', version: services.version },
    { instructions, capabilities: { tools: {} }, cacheHints: { 'tools/list': forAnHour, 'server/discover': forAnHour } },
  )
  for (const tool of [...mcpTools, ...(services.more ?? [])]) {
    const { name, title, description, annotations } = tool
    const config = { title, description, annotations, ...(toldSchemas.get(name) ?? schemasOf(tool)) }
    server.registerTool(name, config, (args: unknown, ctx: ServerContext) =>
      callTool(tool, args, services, () => personBehind(server, ctx)),
    )
  }
  return server
}

const forAnHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const

async function callTool(
  tool: McpTool,
  args: unknown,
  services: McpServices,
  person: () => Person,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const reply = await tool.run(readArguments(tool, args), services, person)
    return 'ask' in reply ? reply.ask : toolResult(reply.structured, reply.forUser)
  } catch (error) {
    return refusal(tool, args, error)
  }
}

/** A modern client says with each call what it can do; an older one said it when it connected. */
function personBehind(server: McpServer, { mcpReq }: ServerContext): Person {
  const modern = Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY]
  const elicitation = (modern ?? server.server.getClientCapabilities())?.elicitation
  const canBeAsked = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  const answered = inputResponse(mcpReq.inputResponses, CONFIRM)
  const form = acceptedContent(mcpReq.inputResponses, CONFIRM, ConfirmForm)
  if (answered.kind === 'missing') return { canBeAsked, reply: 'missing', comment: '' }
  return { canBeAsked, reply: form?.confirm === true ? 'confirmed' : 'declined', comment: form?.comment ?? '' }
}

const Envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ elicitation: z.looseObject({ form: z.unknown(), url: z.unknown() }).partial().optional() }),
})

/**
 * A schema as clients are told of it, without its check, and put into words once instead of once per request.
 * Arguments are checked in `readArguments`, whose refusals say what the call should have been; the SDK's would name the field only.
 * Results are checked by the compiler.
 */
function told(schema: z.ZodObject): StandardSchemaWithJSON {
  const { vendor, jsonSchema } = schema['~standard']
  const words = { input: once(jsonSchema.input), output: once(jsonSchema.output) }
  return { '~standard': { version: 1, vendor, jsonSchema: words, validate: (value) => ({ value }) } }
}

function once(write: Words): Words {
  const written = new Map<string, Record<string, unknown>>()
  return (options) => {
    const found = written.get(options.target) ?? write(options)
    written.set(options.target, found)
    return found
  }
}

type Words = StandardSchemaWithJSON['~standard']['jsonSchema']['input']

const toldSchemas = new Map(mcpTools.map((tool) => [tool.name, schemasOf(tool)]))

function schemasOf({ input, output }: McpTool) {
  return { inputSchema: told(input), outputSchema: told(output) }
}
