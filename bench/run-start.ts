import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { anAccount, launcher } from '../src/cli/test-account.ts'
import { lowest, type Bench } from './report/bench.ts'

const TRIES = 20

/** What every agent must do before it can ask: write down what it was told, durably, and send a request. */
const bare = (port: number, database: string) => `
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(${JSON.stringify(database)})
  db.exec('pragma journal_mode = wal; create table if not exists entries (id integer primary key, text text)')
  db.prepare('insert into entries (text) values (?)').run('hello')
  await fetch('http://127.0.0.1:${port}/v1/chat/completions', { method: 'POST', body: JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }) })`

/** How long `troupe run` takes until its first request reaches the model, against bare Node that does the same. */
export const bench: Bench = {
  name: 'start to first request',
  run: async (t) => {
    const server = createServer().listen(0, '127.0.0.1')
    t.after(async () => {
      server.close()
      server.closeAllConnections()
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // a listening TCP server has one
    const key = { OPENAI_API_KEY: 'sk-bench', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` }
    const { home, project, env } = await anAccount(t, key)
    const args = ['run', 'hello', '--model', 'openai/model', '--role', 'planner']
    const never = { ms: Infinity, cpuMs: Infinity }
    let [floor, ours] = [never, never]
    const script = ['--input-type=module', '-e', bare(port, join(home, 'bare.db'))]
    for (let at = 0; at < TRIES; at++) {
      floor = lowest(floor, await untilAsked(server, process.execPath, script, home, env))
      ours = lowest(ours, await untilAsked(server, launcher, args, project, env))
    }
    return [
      { what: 'troupe run, start to first request', unit: 'ms', floor: floor.ms, ours: ours.ms, budget: { at_most: 1.6 } },
      { what: 'CPU until then', unit: 'ms', floor: floor.cpuMs, ours: ours.cpuMs, budget: { at_most: 2 }, why: AT_THE_EDGE },
    ]
  },
}

/**
 * Starts a program and tells what it took to its first request: by the clock, and by the time it had a processor, which a busy machine
 * does not stretch. It is asked to end, not killed: the compiled code is kept only by one that ends.
 */
async function untilAsked(server: Server, program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const started = performance.now()
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const early = ended.then(() => Promise.reject(new Error(`${program} ended before it asked: ${child.stderr.read()}`)))
  early.catch(() => undefined) // after the request the end is expected
  await Promise.race([once(server, 'request'), early])
  const took = { ms: performance.now() - started, cpuMs: cpuOf(child.pid ?? 0) }
  child.kill('SIGTERM')
  await ended
  return took
}

/** Of all threads of a process, in nanoseconds the kernel has counted. */
function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')) / 1e6, 0)
}

const AT_THE_EDGE =
  'it lies at the edge of its budget and swings with the machine, 1.90 to 2.10 × on one day: the bundle is read and compiled, the store ' +
  'opened, the roles loaded and the run stored before the first request, and Node compiles on other threads meanwhile'
