import http from 'node:http'
import { ScriptStep } from '../../src/providers/script/script.ts'
import type { Cleanup } from '../../src/sandbox/test-folder.ts'
import { anthropicWire } from '../../tests/wires/anthropic.ts'
import { chatWire } from '../../tests/wires/chat.ts'
import { askedFor, serve, startModel } from './model-process.ts'

/** A model that answers every request at once with one call of `read_file`, and with text once the thread holds `turns` replies. */
export function startInstantModel(t: Cleanup, turns: number): Promise<string> {
  return startModel(t, import.meta.filename, turns)
}

/** The same with a shell command that does nothing. */
export function startShellModel(t: Cleanup, turns: number): Promise<string> {
  return startModel(t, import.meta.filename, turns, 1)
}

const asked = askedFor(import.meta.filename)
if (asked !== null) serve(instantModel(...asked))

/** Replies are written once at the start; a request costs the reading of its bytes and one search through them. */
function instantModel(turns = 0, shell = 0): http.Server {
  const [tool, input] = shell === 0 ? ['read_file', { path: 'README.md' }] : ['execute_command', { command: 'true' }]
  const call = ScriptStep.parse({ calls: [{ tool, input }] })
  const text = ScriptStep.parse({ text: 'Done.' })
  const replies = { '/v1/chat/completions': written(chatWire, call, text), '/v1/messages': written(anthropicWire, call, text) }
  return http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const replied = Buffer.concat(chunks).toString('latin1').split('"role":"assistant"').length - 1
      const reply = request.url === '/v1/messages' ? replies['/v1/messages'] : replies['/v1/chat/completions']
      response.setHeader('content-type', 'text/event-stream')
      response.end(replied < turns ? reply.call : reply.text)
    })
  })
}

function written(wire: typeof chatWire, call: ScriptStep, text: ScriptStep): { call: string; text: string } {
  const write = (step: ScriptStep) => wire({ step, number: 1, chunk_chars: 24 }).join('')
  return { call: write(call), text: write(text) }
}
