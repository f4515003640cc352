import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { playRun } from '../src/agent/loop.ts'
import { startRun } from '../src/agent/run/start.ts'
import { plainAgent } from '../src/agent/test-agent.ts'
import { openProvider } from '../src/providers/open.ts'
import type { Cleanup } from '../src/sandbox/test-folder.ts'
import type { Bench, Row } from './report/bench.ts'
import { openPlace } from './report/place.ts'

const AGENTS = 1_000
const MIB = 1024 * 1024

/** What an agent costs that does nothing but wait for its model: a thousand of them in this process. */
export const bench: Bench = { name: 'a thousand waiting agents', run }

async function run(t: Cleanup): Promise<Row[]> {
  const { folder, driver } = await openPlace(t)
  const everyone = Promise.withResolvers<void>()
  let asked = 0
  const url = await startSilentModel(t, () => {
    asked += 1
    if (asked === AGENTS) everyone.resolve()
  })
  const provider = await openProvider('own', { env: {}, providers: { own: { kind: 'openai-compatible', base_url: `${url}/v1` } } })
  const agent = await plainAgent({ driver, chosenModelFor: async () => ({ provider, model: 'silent' }) })
  const stop = new AbortController()
  const before = memory()
  const started = performance.now()
  const playing = Array.from({ length: AGENTS }, async () => {
    const held = await startRun(agent, { agent_role: 'actor', model: 'own/silent', workspace: folder, prompt: 'Go.' })
    return playRun(agent, held, stop.signal)
  })
  await everyone.promise
  const tookMs = performance.now() - started
  const each = (memory() - before) / AGENTS
  stop.abort()
  await Promise.all(playing)
  return [
    { what: 'memory of one that waits', unit: 'MiB', ours: each / MIB, budget: { at_most: 1 } },
    { what: 'starting one', unit: 'ms', ours: tookMs / AGENTS, budget: { at_most: 20 } },
  ]
}

/** A model server in a process of its own that takes every request and never answers; it reports each. */
async function startSilentModel(t: Cleanup, onAsked: () => void): Promise<string> {
  const script = `
    const server = require('node:http').createServer((request) => request.resume().on('end', () => process.send('asked')))
    server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
    process.on('disconnect', () => process.exit())`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  t.after(async () => void child.kill())
  const [{ port }] = await once(child, 'message')
  child.on('message', onAsked)
  return `http://127.0.0.1:${port}`
}

function memory(): number {
  globalThis.gc?.()
  return process.memoryUsage().rss
}
