import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A model in a process of its own whose every token is the moment at which it was sent. */
export interface StampingModel {
  url: string
  process: ChildProcess
}

/** Starts it; each request is answered by a token every `paceMs`. */
export async function startStampingModel(tokens: number, paceMs: number): Promise<StampingModel> {
  const child = fork(import.meta.filename, [String(tokens), String(paceMs)])
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, process: child }
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

if (process.argv[1] === import.meta.filename && process.send !== undefined) serve(Number(process.argv[2]), Number(process.argv[3]))

function serve(tokens: number, paceMs: number): void {
  const server = http.createServer((request, response) => {
    let asked = ''
    request.setEncoding('utf8').on('data', (text: string) => (asked += text))
    request.on('end', () => void (asked.includes(SLEEP) ? callSleep(response) : answer(response, tokens, paceMs)))
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port)) // a listening TCP server has one
  process.on('disconnect', () => process.exit())
}

/** Who asks for this gets a call of a command that would take a long time. */
export const SLEEP = 'please sleep'

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
