import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInstantModel } from '../tests/instant-model.ts'
import type { Bench, Row } from './bench.ts'

const TRIES = 15
const TURNS = 50
const troupe = join(import.meta.dirname, '../bin/troupe')
const bareRun = join(import.meta.dirname, 'bare-run.mjs')

/** `troupe run` as a process: how soon it asks the model, and what fifty turns of it cost, against a script that does the same. */
export const bench: Bench = { name: 'troupe run as a process', run }

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
  await writeFile(join(folder, 'README.md'), 'line\n'.repeat(40))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, OPENAI_API_KEY: 'none' }
  const first = await firstRequests(folder, env)
  const whole = await wholeRuns(folder, env)
  await rm(folder, { recursive: true, force: true })
  return [
    { what: 'start to first request', unit: 'ms', ...first, budget: { at_most: 2 } },
    { what: `CPU of ${TURNS} turns`, unit: 'ms', ours: whole.ours.cpuMs, floor: whole.floor.cpuMs, budget: { at_most: 3 } },
    { what: `memory of ${TURNS} turns`, unit: 'MiB', ours: whole.ours.mib, floor: whole.floor.mib, budget: { at_most: 2 } },
  ]
}

type Environment = Record<string, string>

const ours = [troupe, ['run', 'Go.', '--model', 'openai/loopback', '--output-format', 'json']] as const

/** The quickest of several starts of each, in turn. */
async function firstRequests(folder: string, env: Environment): Promise<{ ours: number; floor: number }> {
  let arrived = Promise.withResolvers<number>()
  const server = http.createServer((request) => {
    arrived.resolve(performance.now())
    request.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a listening TCP server has one
  const start = async (program: string, args: readonly string[]) => {
    arrived = Promise.withResolvers<number>()
    const started = performance.now()
    const child = spawn(program, args, { cwd: folder, env: { ...env, OPENAI_BASE_URL: url }, stdio: 'ignore' })
    const ended = once(child, 'exit')
    const tookMs = (await arrived.promise) - started
    child.kill('SIGKILL')
    await ended
    return tookMs
  }
  const best = { ours: Infinity, floor: Infinity }
  for (let at = 0; at < TRIES; at++) {
    best.floor = Math.min(best.floor, await start(process.execPath, [bareRun, url]))
    best.ours = Math.min(best.ours, await start(...ours))
  }
  server.close()
  return best
}

interface Cost {
  cpuMs: number
  mib: number
}

async function wholeRuns(folder: string, env: Environment): Promise<{ ours: Cost; floor: Cost }> {
  const model = await startInstantModel(TURNS)
  const best = { ours: { cpuMs: Infinity, mib: Infinity }, floor: { cpuMs: Infinity, mib: Infinity } }
  for (let at = 0; at < 5; at++) {
    best.floor = lower(best.floor, await costOf(process.execPath, [bareRun, model.url], folder, env))
    best.ours = lower(best.ours, await costOf(...ours, folder, { ...env, OPENAI_BASE_URL: model.url }))
  }
  model.process.kill()
  return best
}

function lower(a: Cost, b: Cost): Cost {
  return { cpuMs: Math.min(a.cpuMs, b.cpuMs), mib: Math.min(a.mib, b.mib) }
}

/** What a process and those it waited for had used when it was last seen alive. */
async function costOf(program: string, args: readonly string[], cwd: string, env: Environment): Promise<Cost> {
  const child = spawn(program, args, { cwd, env, stdio: 'ignore' })
  let seen: Cost = { cpuMs: 0, mib: 0 }
  const look = setInterval(() => (seen = used(child.pid ?? 0) ?? seen), 2)
  const [code] = await once(child, 'exit')
  clearInterval(look)
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
  return seen
}

function used(pid: number): Cost | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return peak && { cpuMs: ticks.reduce((sum, count) => sum + Number(count) * 10, 0), mib: Number(peak[1]) / 1024 }
  } catch {
    return null // it has ended
  }
}
