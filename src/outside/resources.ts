import type { CallToolResult, Client, RequestOptions } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { Problem } from '../domain/problem.ts'
import type { ReviewedTool } from './review-file.ts'

/** What else a server offers to read, as one more tool of it: classed, called and recorded like any other. */
export const resourcesTool: ReviewedTool = {
  name: 'resources',
  description:
    'Read what this server offers: without arguments the list of resources and prompts, else the resource of a uri or a prompt filled in.',
  input_schema: {
    type: 'object',
    properties: { uri: { type: 'string' }, prompt: { type: 'string' }, arguments: { type: 'object', description: 'for the prompt' } },
  },
  hints: { readOnlyHint: true },
  digest: 'resources',
}

const Wanted = z.object({
  uri: z.string().optional(),
  prompt: z.string().optional(),
  arguments: z.record(z.string(), z.string()).optional(),
})

/** Whether a server offers anything to read beside its tools. */
export function offersResources(client: Client): boolean {
  const { resources, prompts } = client.getServerCapabilities() ?? {}
  return resources !== undefined || prompts !== undefined
}

/** Reads a resource or fills in a prompt, or lists both. */
export async function readResources(client: Client, input: unknown, options: RequestOptions): Promise<CallToolResult> {
  const wanted = Wanted.safeParse(input)
  if (!wanted.success) throw new Problem('bad_input', 'resources takes uri, or prompt with arguments that are texts, or nothing')
  const { uri, prompt, arguments: given } = wanted.data
  if (uri !== undefined) {
    const { contents } = await client.readResource({ uri }, options)
    return { content: contents.map((resource) => ({ type: 'resource', resource })) }
  }
  if (prompt === undefined) return { content: [{ type: 'text', text: await listText(client, options) }] }
  const { messages } = await client.getPrompt({ name: prompt, ...(given && { arguments: given }) }, options)
  return { content: messages.map(({ content }) => content) }
}

async function listText(client: Client, options: RequestOptions): Promise<string> {
  const { resources: hasResources, prompts: hasPrompts } = client.getServerCapabilities() ?? {}
  const { resources } = hasResources === undefined ? { resources: [] } : await client.listResources(undefined, options)
  const { resourceTemplates } =
    hasResources === undefined ? { resourceTemplates: [] } : await client.listResourceTemplates(undefined, options)
  const { prompts } = hasPrompts === undefined ? { prompts: [] } : await client.listPrompts(undefined, options)
  return [
    ...resources.map(({ uri, name }) => `resource ${uri}: ${name}`),
    ...resourceTemplates.map(({ uriTemplate, name }) => `resource ${uriTemplate}: ${name}`),
    ...prompts.map(({ name, description, arguments: takes = [] }) => {
      return `prompt ${name}(${takes.map((each) => each.name).join(', ')}): ${description ?? ''}`
    }),
  ].join('\n')
}
