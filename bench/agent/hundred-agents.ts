import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { playRun } from '../../src/agent/loop.ts'
import { startRun } from '../../src/agent/run/start.ts'
import { plainAgent } from '../../src/agent/test-agent.ts'
import type { AgentContext } from '../../src/agent/agent.ts'
import { testCheckpoints } from '../../src/checkpoints/test-settings.ts'
import { openProvider } from '../../src/providers/open.ts'
import type { Cleanup } from '../../src/sandbox/test-folder.ts'
import { bareExchange } from './bare-exchange.ts'
import { startInstantModel } from './instant-model.ts'
import { processMs, type Row } from '../report/bench.ts'
import { openPlace } from '../report/place.ts'

const AGENTS = 100
const READS = 10
const TRIES = 4
const MIB = 1024 * 1024

/** A hundred agents in one process, each reading ten files one after the other, against bare Node that does the same exchanges. */
export async function hundredAgentsRows(t: Cleanup): Promise<Row[]> {
  const { folder, driver } = await openPlace(t)
  await writeFile(join(folder, 'README.md'), 'line\n'.repeat(40))
  const url = await startInstantModel(t, READS)
  const provider = await openProvider('own', { env: {}, providers: { own: { kind: 'openai-compatible', base_url: `${url}/v1` } } })
  const chosenModelFor = async () => ({ provider, model: 'loopback' })
  const agent = await plainAgent({ driver, checkpoints: await testCheckpoints(t), chosenModelFor })
  for (let at = 0; at < 10; at++) await Promise.all(Array.from({ length: 10 }, () => readTen(agent, folder))) // a process at work: code loaded, room for garbage taken
  const ours = await leastOf(() => everyone(() => readTen(agent, folder)))
  const floor = await leastOf(() => everyone((at) => readTenBarely(url, folder, at)))
  return [
    { what: `${AGENTS} agents × ${READS} reads`, unit: 'ms', ours: ours.tookMs, budget: { at_most: 1000 } },
    { what: 'processor time of it', unit: 'ms', ours: ours.cpuMs, floor: floor.cpuMs, budget: { at_most: 2.5 } },
    { what: 'memory of one of them', unit: 'MiB', ours: ours.mib, budget: { at_most: 0.4 } },
  ]
}

interface Cost {
  tookMs: number
  cpuMs: number
  mib: number
}

/** The least of each figure; memory is that of the first try, since later ones live in what it took. */
async function leastOf(work: () => Promise<Cost>): Promise<Cost> {
  const first = await work()
  const costs = [first]
  for (let at = 1; at < TRIES; at++) costs.push(await work())
  const least = (figure: keyof Cost) => Math.min(...costs.map((cost) => cost[figure]))
  return { tookMs: least('tookMs'), cpuMs: least('cpuMs'), mib: first.mib }
}

/** What all of them cost together, and each in memory at the height of it. */
async function everyone(one: (at: number) => Promise<void>): Promise<Cost> {
  globalThis.gc?.()
  const before = { memory: process.memoryUsage().rss, cpu: processMs(), time: performance.now() }
  let most = before.memory
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10)
  await Promise.all(Array.from({ length: AGENTS }, (_, at) => one(at)))
  clearInterval(look)
  most = Math.max(most, process.memoryUsage().rss)
  return { tookMs: performance.now() - before.time, cpuMs: processMs() - before.cpu, mib: (most - before.memory) / AGENTS / MIB }
}

async function readTen(agent: AgentContext, folder: string): Promise<void> {
  const held = await startRun(agent, { agent_role: 'actor', model: 'own/loopback', workspace: folder, prompt: 'Go.' })
  const ended = await playRun(agent, held, new AbortController().signal)
  if (ended.status !== 'completed') throw new Error(`the run ended ${ended.status}: ${ended.reason}`)
}

function readTenBarely(url: string, folder: string, at: number): Promise<void> {
  const read = () => readFile(join(folder, 'README.md'), 'utf8')
  return bareExchange(url, join(folder, `history-${at}.jsonl`), read, () => undefined)
}
