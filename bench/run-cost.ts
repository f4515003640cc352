import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launcher } from '../src/cli/test-account.ts'
import { testFolder, type Cleanup } from '../src/sandbox/test-folder.ts'
import { startInstantModel } from './agent/instant-model.ts'
import { lowest, type Bench, type Row } from './report/bench.ts'

const TRIES = 4
const TURNS = 50
const bareRun = join(import.meta.dirname, 'agent/bare-run.mjs')

/** What fifty turns of `troupe run` cost as a process, from its start to its end, against a script that does the same exchange. */
export const bench: Bench = { name: 'the cost of a run', run }

async function run(t: Cleanup): Promise<Row[]> {
  const folder = await testFolder(t)
  await writeFile(join(folder, 'README.md'), 'line\n'.repeat(40))
  const url = await startInstantModel(t, TURNS)
  const place = { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: folder, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: url } }
  const bare = [process.execPath, bareRun, url]
  const ours = [launcher, 'run', 'Go.', '--model', 'openai/loopback', '--output-format', 'json']
  const best = { ours: { cpuMs: Infinity, mib: Infinity }, floor: { cpuMs: Infinity, mib: Infinity } }
  for (let at = 0; at < TRIES; at++) {
    best.floor = lowest(best.floor, { cpuMs: cpuOf(bare, place), mib: await memoryOf(bare, place) })
    best.ours = lowest(best.ours, { cpuMs: cpuOf(ours, place), mib: await memoryOf(ours, place) })
  }
  return [
    { what: `CPU of ${TURNS} turns`, unit: 'ms', ours: best.ours.cpuMs, floor: best.floor.cpuMs, budget: { at_most: 3 } },
    { what: `memory of ${TURNS} turns`, unit: 'MiB', ours: best.ours.mib, floor: best.floor.mib, budget: { at_most: 2 } },
  ]
}

interface Place {
  cwd: string
  env: Record<string, string>
}

/** User and system time of a command and of all it waited for, as the shell that ran it was told: in hundredths of a second, hence five times. */
function cpuOf(command: readonly string[], place: Place): number {
  const script = 'for run in 1 2 3 4 5; do "$@" >/dev/null 2>&1 || exit 1; done; times'
  const told = execFileSync('sh', ['-c', script, 'sh', ...command], { ...place, encoding: 'utf8' })
  const [, children = ''] = told.split('\n')
  return children.split(' ').reduce((sum, time) => sum + milliseconds(time), 0) / 5
}

function milliseconds(time: string): number {
  const [minutes = '', seconds = ''] = time.split('m')
  return (Number(minutes) * 60 + Number.parseFloat(seconds)) * 1000
}

/** The most memory a command had when it was last seen alive. */
async function memoryOf([program = '', ...args]: readonly string[], place: Place): Promise<number> {
  const child = spawn(program, args, { ...place, stdio: 'ignore' })
  let mib = 0
  const look = setInterval(() => (mib = peakOf(child.pid ?? 0) ?? mib), 2)
  const [code] = await once(child, 'exit')
  clearInterval(look)
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
  return mib
}

function peakOf(pid: number): number | null {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return peak && Number(peak[1]) / 1024
  } catch {
    return null // it has ended
  }
}
