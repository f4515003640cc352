import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Cleanup } from '../sandbox/test-folder.ts'
import { launcher, type Account } from './test-account.ts'

type Place = Pick<Account, 'project' | 'env'>

/** A serving process that has said where it is; ended with the test. */
export async function serving(t: Cleanup, account: Place, port: number | null = 0) {
  const named = port === null ? [] : ['--port', String(port)]
  const { child, line, said } = await firstLine(t, account, launcher, ['serve', ...named, '--json'])
  const { url, token } = JSON.parse(line) as { url: string; token: string } // what `serve --json` prints
  return { child, url: new URL(url), token, said, ask: asker(new URL(url), token) }
}

/** A process of ours that has printed its first line. */
export async function firstLine(t: Cleanup, { project: cwd, env }: Place, program: string, args: string[]) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (more: string) => (said += more))
  t.after(() => end(child))
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit')])
  assert.equal(typeof line, 'string', `the server ended instead of saying where it is: ${said}`)
  return { child, line: String(line), said: () => said }
}

/** Ends a process as a crash would, unless told otherwise. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Asks a server as the page does, and gives back what it answers. */
export function asker(url: URL, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async (method: string, path: string, body?: object) => {
    const answer = await fetch(new URL(path, url), { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return answer.json()
  }
}
