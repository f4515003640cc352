import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A client that does as little as possible, so that what is measured is the server. */
export interface LineClient {
  call(args: object, tool?: string): Promise<unknown>
  /** Resident memory of the server now, in MiB. */
  memory(): number
  close(): Promise<void>
}

/** Starts a server and shakes hands with it. */
export async function connect(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<LineClient> {
  const server = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, (message: { result?: unknown; error?: unknown }) => void>()
  createInterface({ input: server.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as { id: number; result?: unknown; error?: unknown } // the server speaks JSON-RPC
    waiting.get(message.id)?.(message)
  })
  let last = 0

  function request(method: string, params: object): Promise<unknown> {
    const id = ++last
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, ({ result, error }) => {
      waiting.delete(id)
      return error === undefined ? resolve(result) : reject(new Error(JSON.stringify(error)))
    })
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return promise
  }

  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '0' } })
  return {
    call: (given, tool = 'workflow_next') => request('tools/call', { name: tool, arguments: given }),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    close: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.stdin.end()
      await ended
    },
  }
}
