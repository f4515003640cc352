import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cleanup } from '../../src/sandbox/test-folder.ts'
import { askedFor, serve, startModel } from '../agent/model-process.ts'

/** A model whose every token is the moment at which it was sent, a token every `paceMs`. */
export function startStampingModel(t: Cleanup, tokens: number, paceMs: number): Promise<string> {
  return startModel(t, import.meta.filename, tokens, paceMs)
}

/** The wall clock with fractions of a millisecond; the same in every process of a machine. */
function moment(): number {
  return performance.timeOrigin + performance.now()
}

/** How old each token of a piece of text is. */
export function ages(text: string): number[] {
  const now = moment()
  return text.match(/\d{13}\.\d+/g)?.map((stamp) => now - Number(stamp)) ?? []
}

/** Who asks for this gets a call of a command that would take a long time. */
export const SLEEP = 'please sleep'

const asked = askedFor(import.meta.filename)
if (asked !== null) serve(stampingModel(...asked))

function stampingModel(tokens = 0, paceMs = 0): http.Server {
  return http.createServer((request, response) => {
    let said = ''
    request.setEncoding('utf8').on('data', (text: string) => (said += text))
    request.on('end', () => void (said.includes(SLEEP) ? callSleep(response) : answer(response, tokens, paceMs)))
  })
}

function callSleep(response: http.ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream')
  const call = { index: 0, id: 'call', function: { name: 'execute_command', arguments: '{"command":"sleep 1000"}' } }
  response.end(`${chunk({ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' })}data: [DONE]\n\n`)
}

async function answer(response: http.ServerResponse, tokens: number, paceMs: number): Promise<void> {
  response.setHeader('content-type', 'text/event-stream')
  for (let sent = 0; sent < tokens; sent++) {
    await sleep(paceMs)
    response.write(chunk({ delta: { content: `${moment().toFixed(3)} ` } }))
  }
  response.end(`${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
}

function chunk(choice: object): string {
  const body = {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'stamps',
    choices: [{ index: 0, finish_reason: null, ...choice }],
  }
  return `data: ${JSON.stringify(body)}\n\n`
}
