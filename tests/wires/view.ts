import * as z from 'zod'
import type { ScriptView } from '../../src/providers/script/script.ts'

const Text = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional(), content: z.unknown().optional() }))]).nullish()
const Message = z.looseObject({ role: z.string().optional(), type: z.string().optional(), content: Text, output: z.unknown().optional() })
const Body = z.looseObject({
  model: z.string().optional(),
  system: Text,
  messages: z.array(Message).optional(),
  input: z.array(Message).optional(),
  contents: z
    .array(
      z.looseObject({
        role: z.string(),
        parts: z.array(z.looseObject({ text: z.string().optional(), functionResponse: z.unknown().optional() })),
      }),
    )
    .optional(),
  systemInstruction: z.looseObject({ parts: z.array(z.looseObject({ text: z.string() })) }).optional(),
  tools: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        function: z.looseObject({ name: z.string() }).optional(),
        functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional(),
      }),
    )
    .optional(),
})
type Body = z.infer<typeof Body>

/** The same view from every wire: the messages of all of them differ only in names. */
export function viewOf(body: unknown): ScriptView {
  const request = Body.parse(body)
  const messages = [...(request.messages ?? []), ...(request.input ?? []), ...(request.contents ?? []).map(fromGoogle)]
  const lastReply = messages.findLastIndex(isReply)
  const after = messages.slice(lastReply + 1)
  return {
    system: [
      textOf(request.system),
      ...(request.systemInstruction?.parts ?? []).map((part) => part.text),
      ...messages.filter(isSystem).map((message) => textOf(message.content)),
    ].join('\n'),
    user: textOf(messages.findLast((message) => message.role === 'user' && textOf(message.content) !== '')?.content),
    tool_output: after.map((message) => JSON.stringify([message.content, message.output])).join('\n'),
    tools: (request.tools ?? []).flatMap(toolNames),
    asked: messages.filter(isReply).length,
  }
}

function fromGoogle({ role, parts }: NonNullable<Body['contents']>[number]): z.infer<typeof Message> {
  return { role: role === 'model' ? 'assistant' : role, content: parts.map((part) => ({ ...part })) }
}

function isReply(message: z.infer<typeof Message>): boolean {
  return message.role === 'assistant' || message.type === 'function_call'
}

function isSystem(message: z.infer<typeof Message>): boolean {
  return message.role === 'system' || message.role === 'developer'
}

function toolNames(tool: NonNullable<Body['tools']>[number]): string[] {
  return [tool.name, tool.function?.name, ...(tool.functionDeclarations ?? []).map((one) => one.name)].filter((name) => name !== undefined)
}

function textOf(content: z.infer<typeof Text>): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('')
}
