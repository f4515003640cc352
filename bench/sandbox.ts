import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { whyNot } from '../src/sandbox/detect.ts'
import { type PreparedSandboxes, preparedSandboxes } from '../src/sandbox/prepared/prepared.ts'
import { runCommand } from '../src/sandbox/run-command.ts'
import type { Command, SandboxKind, WorkspaceAccess } from '../src/sandbox/sandbox.ts'
import { testFolder, type Cleanup } from '../src/sandbox/test-folder.ts'
import { type Bench, type Row, median, processMs, quickest } from './report/bench.ts'
import { shellTurnRows } from './sandbox/shell-turn.ts'

const TRIES = 80
const accesses: readonly WorkspaceAccess[] = ['change', 'read', 'throw_away']

/** A quick model thinks longer than this; a sandbox is built meanwhile. */
const THINKS_MS = 25

const AGENTS = 100

/** What a command costs inside the sandbox, in one that waited for it and in one that is built for it, beside a bare spawn of the same program. */
export const bench: Bench = { name: 'sandbox', run: measureSandbox }

async function measureSandbox(t: Cleanup): Promise<Row[]> {
  const root = await testFolder(t)
  const rows: Row[] = []
  for (const kind of ['namespaces', 'bubblewrap'] as const) {
    if ((await whyNot(kind)) !== null) continue
    await runCommand(nothing(root, 'throw_away'), { kind }) // the first looks around and finds out whether a layer can be laid
    rows.push(...(await preparedRows(kind, root)), ...(await builtRows(kind, root)), ...(await waitingRows(kind, root)))
  }
  return [...rows, ...(await shellTurnRows(t))]
}

function nothing(root: string, access: WorkspaceAccess, prepared?: PreparedSandboxes): Command {
  return { argv: ['/bin/true'], root, access, ...(prepared && { prepared }) }
}

function bareSpawn() {
  return once(spawn('/bin/true', { stdio: ['ignore', 'pipe', 'pipe'] }), 'close')
}

/** Second and later commands of a run: after the model thought, its sandbox waits. */
async function preparedRows(kind: SandboxKind, root: string): Promise<Row[]> {
  const prepared = preparedSandboxes({ kind })
  const took = { bare: [] as number[], change: [] as number[], read: [] as number[], throw_away: [] as number[] }
  for (const access of accesses) await prepared.prepare(nothing(root, access))
  for (let at = 0; at < TRIES; at++) {
    took.bare.push(await afterThinking(bareSpawn))
    for (const access of accesses) took[access].push(await afterThinking(() => runCommand(nothing(root, access, prepared), { kind })))
  }
  prepared.close()
  const floor = median(took.bare)
  return accesses.flatMap((access): Row[] => [
    { what: `${kind}, ${access}, in a sandbox that waited`, unit: 'ms', ours: median(took[access]), floor, budget: { at_most: 2 } },
    { what: 'the slowest but one in twenty', unit: 'ms', ours: late(took[access]), budget: { at_most: 5 }, why: BUSY },
  ])
}

async function afterThinking(work: () => Promise<unknown>): Promise<number> {
  await sleep(THINKS_MS)
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The one that nineteen of twenty beat. */
function late(took: readonly number[]): number {
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? Number.NaN
}

async function builtRows(kind: SandboxKind, root: string): Promise<Row[]> {
  const run = (access: WorkspaceAccess) => runCommand(nothing(root, access), { kind })
  const best = await quickest(TRIES, {
    bare: bareSpawn,
    change: () => run('change'),
    read: () => run('read'),
    throw_away: () => run('throw_away'),
  })
  const budget = { at_most: kind === 'bubblewrap' ? 15 : 8 }
  const why = kind === 'bubblewrap' ? { why: SLOW_SPAWN } : {}
  return accesses.map((access) => ({
    what: `${kind}, ${access}, built for it: over a bare spawn of ${best.bare.toFixed(1)} ms (× ${(best[access] / best.bare).toFixed(1)})`,
    unit: 'ms',
    ours: best[access] - best.bare,
    budget,
    ...why,
  }))
}

/** As many runs as a large team has, each with a sandbox that waits. */
async function waitingRows(kind: SandboxKind, root: string): Promise<Row[]> {
  const runs = Array.from({ length: AGENTS }, () => preparedSandboxes({ kind }))
  const before = availableMiB()
  const started = processMs()
  for (const prepared of runs) await prepared.prepare(nothing(root, 'change'))
  const tookMs = processMs() - started // they rest in between, so that a team at work is not held up
  await sleep(2_000) // the last ones are still being built
  const each = (before - availableMiB()) / AGENTS
  const results = await Promise.all(runs.map((prepared) => runCommand(nothing(root, 'change', prepared), { kind })))
  for (const prepared of runs) prepared.close()
  const used = results.filter((result) => result.prepared === 'used' && result.exit_code === 0).length
  return [
    { what: `${kind}, memory of one that waits, of ${AGENTS}`, unit: 'MiB', ours: each, budget: { at_most: 3 } },
    { what: `${kind}, our processor time of having one built, of ${AGENTS}`, unit: 'ms', ours: tookMs / AGENTS, budget: { at_most: 10 } },
    {
      what: `${kind}, of ${AGENTS} that waited used at once`,
      unit: '%',
      ours: (used / AGENTS) * 100,
      budget: { at_least: 90 },
      why: OUTDATED,
    },
  ]
}

/** What the kernel says it could still give away: with its own share of a namespace, which no process is charged for. */
function availableMiB(): number {
  return Number(/MemAvailable:\s+(\d+) kB/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) / 1024
}

const OUTDATED = 'when something else on the machine makes or removes what a sandbox must hide, those that wait are built anew'

const BUSY = 'a machine that does something else too delays one in twenty of anything, the bare spawn beside it as well'

const SLOW_SPAWN =
  'a bare bubblewrap with five mounts takes two to three spawns of it, the rest are our many mounts, for each of which bubblewrap reads the ' +
  'table of all, and for a layer that is thrown away four more programs that lay it; all of it follows what starting a process costs at ' +
  'that moment: on this machine 8, 8 and 12 ms were measured too'
