import { mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { apparmorFix, isRestricted } from './apparmor.ts'
import { buildSandbox, confine } from './confine.ts'
import { confineProgram, hasConfineProgram } from './confine-program.ts'
import { scratchFolder } from './files/scratch-folder.ts'
import { installLine } from './process/install-line.ts'
import { limitsOf } from './process/limits.ts'
import { recallsProbe, rememberProbe } from './probe-memory.ts'
import { findProgram, launcherEnvironment } from './process/program.ts'
import type { SandboxKind, SandboxState } from './sandbox.ts'
import { type Mount, commandView } from './view.ts'

const PROBE_MS = 30_000

/** The quicker one first. Some machines allow namespaces to bubblewrap alone. */
const kinds = ['namespaces', 'bubblewrap'] as const satisfies readonly SandboxKind[]

/** The program that builds each kind; null where it is missing. */
const builderOf: Record<SandboxKind, () => string | null> = {
  namespaces: () => (hasConfineProgram(process.arch) ? confineProgram(process.arch) : null),
  bubblewrap: () => findProgram('bwrap'),
}

const missing: Record<SandboxKind, string> = {
  namespaces: `Troupe brings no program for ${process.arch}`,
  bubblewrap: 'bwrap is not installed',
}

let detected: Promise<SandboxState> | undefined
const overlays = new Map<SandboxKind, Promise<boolean>>()

/**
 * What this machine can do, found by trying; the answer is kept for the life of the process.
 * With a memory (a file) it is not tried again while nothing has changed since the best kind was found to hold.
 */
export function detectSandbox(memory?: string): Promise<SandboxState> {
  detected ??= memory === undefined ? detect() : recallOrDetect(memory)
  return detected
}

/** Whether a throw-away layer can be laid over a workspace here; else it has to be copied. Found by trying, and kept. */
export function overlayWorks(kind: SandboxKind): Promise<boolean> {
  const known = overlays.get(kind) ?? tryOverlay(kind)
  overlays.set(kind, known)
  return known
}

/** Why a kind does not hold on this machine, or null where it does: it must let scratch be written, and nothing else. */
export async function whyNot(kind: SandboxKind): Promise<string | null> {
  if (builderOf[kind]() === null) return missing[kind]
  const script = 'touch /tmp/a && ! touch "$1/a" 2>/dev/null && ! touch /usr/a 2>/dev/null && ! mount -o remount,bind,rw / 2>/dev/null'
  const { stderr, worked } = await probe(kind, 'read', script).catch(unbuilt)
  return worked ? null : `it did not hold when tried${stderr === '' ? '' : `: ${stderr.trim().split('\n')[0]}`}`
}

/** What a sandbox lacks before it can be started at all. */
function unbuilt(error: unknown): { stderr: string; worked: boolean } {
  if (error instanceof Problem) return { stderr: error.message, worked: false }
  throw error
}

async function recallOrDetect(memory: string): Promise<SandboxState> {
  for (const kind of kinds) {
    const builder = builderOf[kind]()
    if (builder !== null && recallsProbe(memory, builder)) return { kind }
  }
  const state = await detect()
  const builder = state.kind === 'none' ? null : builderOf[state.kind]()
  if (builder !== null) await rememberProbe(memory, builder)
  return state
}

async function detect(): Promise<SandboxState> {
  if (process.platform !== 'linux') {
    return {
      kind: 'none',
      reason: `commands cannot be confined on ${process.platform}`,
      fix: 'run Troupe on Linux, in a virtual machine if need be',
    }
  }
  const reasons: string[] = []
  for (const kind of kinds) {
    const reason = await whyNot(kind)
    if (reason === null) return { kind }
    reasons.push(`${kind}: ${reason}`)
  }
  return { kind: 'none', reason: reasons.join('; '), fix: fixFor() }
}

function fixFor(): string {
  const builder = kinds.map((kind) => builderOf[kind]()).find((program) => program !== null)
  if (builder !== undefined && isRestricted()) return apparmorFix(builder)
  return findProgram('bwrap') === null ? installLine('bubblewrap', process.env) : 'sudo sysctl user.max_user_namespaces=10000'
}

async function tryOverlay(kind: SandboxKind): Promise<boolean> {
  const script = 'cd "$1" && rmdir old && mkdir old && touch old/new && mv old moved && test -f moved/new'
  const { worked, left } = await probe(kind, 'overlay', script)
  return worked && left.join() === 'old'
}

async function probe(kind: SandboxKind, as: Mount['as'], script: string) {
  const root = await scratchFolder(tmpdir(), 'troupe-probe-')
  try {
    await mkdir(join(root, 'old'))
    const view = commandView({ argv: ['sh'], root, access: 'read', env: { PATH: launcherEnvironment.PATH } }, { as })
    const launch = confine(kind, view, limitsOf({}))
    const order = launch.write({ ...view, argv: ['/bin/sh', '-c', script, 'sh', view.root] })
    const { exit_code, stderr } = (await buildSandbox(launch).run(order, { timeoutMs: PROBE_MS })).result
    return { worked: exit_code === 0, stderr, left: await readdir(root) }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
