// The floor of `troupe run`: plain JavaScript, nothing but Node, the same exchange with the same model server, its history in a file.
import { appendFile, readFile } from 'node:fs/promises'
import http from 'node:http'

const url = process.argv[2]
const agent = new http.Agent({ keepAlive: true })
const messages = [
  { role: 'system', content: 'You are operating in ACTOR role. '.repeat(150) },
  { role: 'user', content: 'Go.' },
]
for (;;) {
  const reply = await ask()
  messages.push({ role: 'assistant', ...reply })
  await keep()
  if (!reply.tool_calls) break
  messages.push({ role: 'tool', tool_call_id: reply.tool_calls[0].id, content: await readFile('README.md', 'utf8') })
  await keep()
}
agent.destroy()

function keep() {
  return appendFile('history.jsonl', `${JSON.stringify(messages.at(-1))}\n`)
}

async function ask() {
  const answer = await post(JSON.stringify({ model: 'loopback', stream: true, messages }))
  const deltas = answer
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)).choices[0]?.delta ?? {})
  const parts = deltas.flatMap((delta) => delta.tool_calls ?? [])
  if (parts.length === 0) return { content: deltas.map((delta) => delta.content ?? '').join('') }
  const call = { ...parts[0], function: { ...parts[0].function, arguments: parts.map((part) => part.function.arguments).join('') } }
  return { content: null, tool_calls: [call] }
}

function post(body) {
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/v1/chat/completions`, { method: 'POST', agent }, (response) => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', (chunk) => (text += chunk))
        .on('end', () => resolve(text))
    })
    request.on('error', reject).end(body)
  })
}
