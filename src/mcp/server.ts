import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type CallToolResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { closest } from '../domain/text/closest.ts'
import { readInput } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { isDeeper, MAX_DEPTH } from '../domain/text/unknown-value.ts'
import { tellMisfits } from './line-error.ts'
import { refusedToolCall, toolResult } from './result.ts'
import { CONFIRM_FORM_NAME, ConfirmForm } from './run-tools.ts'
import type { McpServices, McpTool, Person } from './tool.ts'
import { mcpTools } from './tools.ts'

const instructions =
  'Workflows, one step at a time. workflow_list shows them; workflow_start starts a durable run and workflow_next continues it; workflow_resume finds it again. ' +
  'A step has a prompt, which users may see, and an agentRole and guidance, which are instructions to you: follow them and do not quote them.'

/** Every revision that is served; a refusal lists them. The newest is chosen by `server/discover`, the others when a client connects. */
const supportedProtocolVersions = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== '2026-07-28')]

/**
 * A server for one connection, or for one request over HTTP; cheap, because everything it needs is made once, outside.
 * It answers the two requests about tools itself: arguments are checked by `readInput`, whose refusals say what the call
 * should have been, and results by the compiler, so that the checks of the SDK's own register would be made for nothing.
 */
export function createWorkflowServer(services: McpServices): Server {
  const server = new Server(
    { name: 'troupe', title: 'Troupe workflows', version: services.version },
    {
      instructions,
      supportedProtocolVersions,
      capabilities: { tools: {} },
      cacheHints: { 'tools/list': forAnHour, 'server/discover': forAnHour },
    },
  )
  const tools = [...mcpTools, ...(services.more ?? [])]
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(definitionOf) }))
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) throw unknownTool(params.name, tools)
    return callTool(tool, params.arguments, services, () => personBehind(server, ctx))
  })
  return tellMisfits(server)
}

const forAnHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const

async function callTool(
  tool: McpTool,
  args: unknown,
  services: McpServices,
  person: () => Person,
): Promise<CallToolResult | InputRequiredResult> {
  if (isDeeper(args)) {
    const problem = new Problem('too_large', `the arguments of ${tool.name} are nested deeper than ${MAX_DEPTH} levels; flatten them`)
    return refusedToolCall(tool, undefined, problem)
  }
  try {
    const reply = await tool.run(readInput(tool, args ?? {}), services, person)
    return 'ask' in reply ? reply.ask : toolResult(reply.structured, reply.forUser)
  } catch (error) {
    return refusedToolCall(tool, args, error)
  }
}

/** A modern client says with each call what it can do; an older one said it when it connected. */
function personBehind(server: Server, { mcpReq }: ServerContext): Person {
  const modern = Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY]
  const elicitation = (modern ?? server.getClientCapabilities())?.elicitation
  const canBeAsked = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  const answered = inputResponse(mcpReq.inputResponses, CONFIRM_FORM_NAME)
  const form = acceptedContent(mcpReq.inputResponses, CONFIRM_FORM_NAME, ConfirmForm)
  if (answered.kind === 'missing') return { canBeAsked, reply: 'missing', comment: '' }
  return { canBeAsked, reply: form?.confirm === true ? 'confirmed' : 'declined', comment: form?.comment ?? '' }
}

const Envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ elicitation: z.looseObject({ form: z.unknown(), url: z.unknown() }).partial().optional() }),
})

function unknownTool(name: string, tools: readonly McpTool[]): ProtocolError {
  const names = tools.map((tool) => tool.name)
  const nearest = closest(name, names)
  const hint = nearest === null ? `there are ${names.join(', ')}` : `did you mean ${nearest}?`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool "${name.slice(0, 100)}"; ${hint}`)
}

const definitions = new WeakMap<McpTool, Tool>()

/** A tool as clients are told of it; its schemas are put into words once, not once per request. */
function definitionOf(tool: McpTool): Tool {
  const had = definitions.get(tool)
  if (had !== undefined) return had
  const { name, title, description, annotations, input, output } = tool
  const definition: Tool = {
    name,
    title,
    description,
    annotations,
    inputSchema: inWords(input, 'input'),
    outputSchema: inWords(output, 'output'),
  }
  definitions.set(tool, definition)
  return definition
}

function inWords(schema: z.ZodObject, side: 'input' | 'output'): Tool['inputSchema'] {
  return { ...schema['~standard'].jsonSchema[side]({ target: 'draft-2020-12' }), type: 'object' }
}
