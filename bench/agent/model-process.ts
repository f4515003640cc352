import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Cleanup } from '../../src/sandbox/test-folder.ts'

/** Starts a model server in a process of its own, so that what it costs is not counted as ours. Gives its address. */
export async function startModel(t: Cleanup, file: string, ...args: readonly number[]): Promise<string> {
  const child = fork(file, args.map(String), { execArgv: [] })
  t.after(async () => child.disconnect())
  const [port] = await once(child, 'message')
  return `http://127.0.0.1:${port}`
}

/** The other side of it: the arguments, where the file was started so. */
export function askedFor(file: string): number[] | null {
  return process.argv[1] === file && process.send !== undefined ? process.argv.slice(2).map(Number) : null
}

/** Says where it is and serves until whoever started it is gone. */
export function serve(server: Server): void {
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port)) // a listening TCP server has one
  process.on('disconnect', () => process.exit())
}
