import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { whyNot } from '../src/sandbox/detect.ts'
import { runCommand } from '../src/sandbox/run-command.ts'
import type { SandboxKind, WorkspaceAccess } from '../src/sandbox/sandbox.ts'
import { testFolder, type Cleanup } from '../src/sandbox/test-folder.ts'
import { type Bench, type Row, quickest } from './report/bench.ts'

const tries: Readonly<Record<SandboxKind, number>> = { bubblewrap: 80, namespaces: 80 }
const accesses: readonly WorkspaceAccess[] = ['change', 'read', 'throw_away']

/** What a command costs to start inside the sandbox, over a bare spawn of the same program in the same run. */
export const bench: Bench = { name: 'sandbox', run: measureSandbox }

/** The rows: milliseconds over a bare spawn, for each kind that works here and each access. */
async function measureSandbox(t: Cleanup): Promise<Row[]> {
  const root = await testFolder(t)
  const rows: Row[] = []
  for (const kind of ['namespaces', 'bubblewrap'] as const) {
    if ((await whyNot(kind)) === null) rows.push(...(await rowsOf(kind, root)))
  }
  return rows
}

async function rowsOf(kind: SandboxKind, root: string): Promise<Row[]> {
  const run = (access: WorkspaceAccess) => runCommand({ argv: ['/bin/true'], root, access }, { kind })
  await run('throw_away') // the first finds out whether a layer can be laid
  const best = await quickest(tries[kind], {
    bare: async () => once(spawn('/bin/true', { stdio: ['ignore', 'pipe', 'pipe'] }), 'close'),
    change: () => run('change'),
    read: () => run('read'),
    throw_away: () => run('throw_away'),
  })
  const budget = { at_most: kind === 'bubblewrap' ? 15 : 8 }
  const why = kind === 'bubblewrap' ? { why: SLOW_SPAWN } : {}
  return accesses.map((access) => ({
    what: `${kind}, ${access}: over a bare spawn of ${best.bare.toFixed(1)} ms (× ${(best[access] / best.bare).toFixed(1)})`,
    unit: 'ms',
    ours: best[access] - best.bare,
    budget,
    ...why,
  }))
}

const SLOW_SPAWN =
  'a bare bubblewrap with five mounts takes two to three spawns of it, the rest are our many mounts, for each of which bubblewrap reads the ' +
  'table of all, and for a layer that is thrown away four more programs that lay it; all of it follows what starting a process costs at ' +
  'that moment: on this machine 8, 8 and 12 ms were measured too'
