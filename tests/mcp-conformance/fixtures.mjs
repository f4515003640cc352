// What the conformance tool wants to find on a server that is tested whole: tools, resources and prompts that a product has no use for.
import { acceptedContent, completable, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import * as z from 'zod'

const image = {
  type: 'image',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
}
const audio = { type: 'audio', data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=', mimeType: 'audio/wav' }
const text = (words) => ({ type: 'text', text: words })
const embedded = (uri, words) => ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: words } })

const contents = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [audio],
  test_embedded_resource: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
  test_multiple_content_types: [text('Multiple content types test:'), image, embedded('test://mixed-content-resource', '{"test":"data"}')],
}

/** A server with the fixtures, for one request or one connection. */
export function fixtureServer() {
  const server = new McpServer({ name: 'troupe-fixtures', version: '0' }, { capabilities: { tools: {}, resources: {}, prompts: {} } })
  addTools(server)
  addResources(server)
  addPrompts(server)
  return server
}

function addTools(server) {
  for (const [name, content] of Object.entries(contents)) server.registerTool(name, { description: name }, async () => ({ content }))
  server.registerTool('test_error_handling', { description: 'always fails' }, async () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('test_tool_with_progress', { description: 'reports progress' }, async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {}
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    }
    return { content: [text('done')] }
  })
  const Named = z.object({ name: z.string() })
  const askName = inputRequired.elicit({ message: 'What is your name?', requestedSchema: Named })
  server.registerTool('test_input_required_result_elicitation', { description: 'asks for a name' }, async ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_name', Named)
    if (given === undefined) return inputRequired({ inputRequests: { user_name: askName } })
    return { content: [text(`Hello, ${given.name}!`)] }
  })
}

function addResources(server) {
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: image.data }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, async (uri, { id }) => ({
    contents: [
      { uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) },
    ],
  }))
}

const say = (...blocks) => ({ messages: blocks.map((content) => ({ role: 'user', content })) })

function addPrompts(server) {
  const simple = 'This is a simple prompt for testing.'
  server.registerPrompt('test_simple_prompt', { description: 'simple' }, async () => say(text(simple)))
  server.registerPrompt('test_prompt_with_image', { description: 'image' }, async () => say(image, text('Please analyze the image above.')))
  const argsSchema = z.object({ arg1: completable(z.string(), () => ['paris', 'park', 'party']), arg2: z.string() })
  server.registerPrompt('test_prompt_with_arguments', { description: 'arguments', argsSchema }, async ({ arg1, arg2 }) =>
    say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  const withUri = z.object({ resourceUri: z.string() })
  server.registerPrompt('test_prompt_with_embedded_resource', { description: 'resource', argsSchema: withUri }, async ({ resourceUri }) =>
    say(embedded(resourceUri, 'Embedded resource content for testing.'), text('Please process the embedded resource above.')),
  )
}
