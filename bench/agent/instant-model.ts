import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { ScriptStep } from '../../src/providers/script.ts'
import { anthropicWire } from '../../tests/wires/anthropic.ts'
import { chatWire } from '../../tests/wires/chat.ts'

/** An instant model in a process of its own, so that what it costs is not counted as ours. */
export interface InstantModel {
  url: string
  process: ChildProcess
}

/** Starts it; every request is answered at once with one call of `read_file`, and with text once the thread holds `turns` replies. */
export async function startInstantModel(turns: number): Promise<InstantModel> {
  const child = fork(import.meta.filename, [String(turns)], { execArgv: [] })
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, process: child }
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) serve(Number(process.argv[2] ?? 0))

/** Replies are written once at the start; a request costs the reading of its bytes and one search through them. */
function serve(turns: number): void {
  const call = ScriptStep.parse({ calls: [{ tool: 'read_file', input: { path: 'README.md' } }] })
  const text = ScriptStep.parse({ text: 'Done.' })
  const replies = { '/v1/chat/completions': written(chatWire, call, text), '/v1/messages': written(anthropicWire, call, text) }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = Buffer.concat(chunks).toString('latin1').split('"role":"assistant"').length - 1
      const reply = request.url === '/v1/messages' ? replies['/v1/messages'] : replies['/v1/chat/completions']
      response.setHeader('content-type', 'text/event-stream')
      response.end(asked < turns ? reply.call : reply.text)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port)) // a listening TCP server has one
  process.on('disconnect', () => process.exit())
}

function written(wire: typeof chatWire, call: ScriptStep, text: ScriptStep): { call: string; text: string } {
  const write = (step: ScriptStep) => wire.stream({ step, number: 1, chunk_chars: 24 }).join('')
  return { call: write(call), text: write(text) }
}
