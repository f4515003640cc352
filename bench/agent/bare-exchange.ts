import { appendFile } from 'node:fs/promises'
import http from 'node:http'

const system = 'You are operating in ACTOR role. '.repeat(150)
const tools = Array.from({ length: 14 }, (_, at) => ({
  type: 'function',
  function: {
    name: at === 0 ? 'read_file' : `tool_${at}`,
    description: 'Reads a file of the workspace and returns its lines with their numbers.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'], additionalProperties: false },
  },
}))

interface Message {
  role: string
  content: string | null
  tool_calls?: unknown[]
  tool_call_id?: string
}

/**
 * The floor: a whole conversation by nothing but Node. Ask, parse the streamed events, write down what was said, do the one call,
 * write down its answer, ask again with everything said so far.
 */
export async function bareExchange(url: string, history: string, doCall: () => Promise<string>, onReply: () => void): Promise<void> {
  const agent = new http.Agent({ keepAlive: true })
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: 'Go.' },
  ]
  const say = async (message: Message) => {
    messages.push(message)
    await appendFile(history, `${JSON.stringify(message)}\n`)
  }
  for (;;) {
    const { text, call } = await ask(url, agent, messages)
    onReply()
    if (call === null) break
    await say({ role: 'assistant', content: text || null, tool_calls: [call] })
    await say({ role: 'tool', tool_call_id: call.id, content: await doCall() })
  }
  agent.destroy()
}

interface Call {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

async function ask(url: string, agent: http.Agent, messages: readonly Message[]): Promise<{ text: string; call: Call | null }> {
  const answer = await post(url, agent, { model: 'loopback', stream: true, messages, tools })
  let text = ''
  let call: Call | null = null
  for (const event of eventsIn(answer)) {
    const { choices } = event as { choices: { delta: { content?: string; tool_calls?: Call[] } }[] } // our own model server
    const delta = choices[0]?.delta
    text += delta?.content ?? ''
    for (const part of delta?.tool_calls ?? []) {
      if (call === null) call = { ...part, function: { ...part.function } }
      else call.function.arguments += part.function.arguments
    }
  }
  return { text, call }
}

/** The events of a streamed reply. */
export function eventsIn(answer: string): unknown[] {
  return answer
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line): unknown => JSON.parse(line.slice(6)))
}

/** One request to a model server, and all that it answers. */
export function post(url: string, agent: http.Agent, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers: { 'content-type': 'application/json' } }
    const request = http.request(`${url}/v1/chat/completions`, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
    })
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
}
