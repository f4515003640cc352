import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import * as z from 'zod'
import type { Environment } from '../../config/places.ts'
import { knownGitPlace } from '../../sandbox/git/place.ts'
import { installLine } from '../../sandbox/process/install-line.ts'
import { findInstalled, launcherEnvironment } from '../../sandbox/process/program.ts'
import type { SandboxState } from '../../sandbox/sandbox.ts'
import { bad, good, warn, type MachineCheck } from './check.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/** Merging without a checkout is as old as this. */
const GIT_AT_LEAST = [2, 38] as const
const NODE_AT_LEAST = 24

/** Another Troupe that serves here has this long to say so. */
const ANSWER_WITHIN_MS = 1_000

export async function lookAtNode(version: string): Promise<MachineCheck> {
  if (Number(version.slice(1).split('.')[0]) >= NODE_AT_LEAST) return good(version)
  return bad(`${version} is too old`, `install Node ${NODE_AT_LEAST} or newer from https://nodejs.org`)
}

/** The git that Troupe starts, which is never one of the project's own. */
export async function lookAtGit(env: Environment, cwd: string, program = installedGit(env, cwd)): Promise<MachineCheck> {
  const asked = program === null ? null : await promisify(execFile)(program, ['--version'], { env: launcherEnvironment }).catch(() => null)
  if (asked === null) return bad('not installed', installLine('git', env))
  const version = asked.stdout.trim().replace('git version ', '')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor, wantedMinor] = GIT_AT_LEAST
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return good(version)
  return bad(`${version} is too old: the board merges with ${GIT_AT_LEAST.join('.')} or newer`, installLine('git', env))
}

function installedGit(env: Environment, cwd: string): string | null {
  return findInstalled('git', env['PATH'] ?? '', knownGitPlace(cwd)?.top ?? cwd)
}

export async function lookAtSandbox(detected?: SandboxState): Promise<MachineCheck> {
  const { detectSandbox } = await import('../../sandbox/detect.ts')
  const state = detected ?? (await detectSandbox())
  if (state.kind === 'none') return bad(`none: ${state.reason}`, state.fix)
  return good(state.kind)
}

/** The program that search_code and find_files use comes with the install, one for each platform. */
export async function lookAtSearch(): Promise<MachineCheck> {
  const { rgPath } = await import('@vscode/ripgrep')
  const { stdout } = await promisify(execFile)(rgPath, ['--version'])
  return good(stdout.split('\n')[0] ?? '')
}

/** A port that Troupe itself serves on is as good as a free one. */
export async function lookAtPort(wanted: number): Promise<MachineCheck> {
  if (await isFree(wanted)) return good(`${wanted} is free`)
  const served = await versionServedAt(wanted)
  if (served === packageJson.version) return good(`${wanted} is where Troupe ${served} serves`)
  if (served !== null)
    return warn(`${wanted} is where Troupe ${served} serves, and this is ${packageJson.version}`, 'stop it and start it again')
  return warn(`${wanted} is taken; serving takes the next free one`, 'export TROUPE_PORT=… to one that is free')
}

/** Whether nobody listens on a port of this machine. */
export function isFree(port: number): Promise<boolean> {
  const { promise, resolve: tell } = Promise.withResolvers<boolean>()
  const probe = createServer().once('error', () => tell(false))
  probe.listen(port, '127.0.0.1', () => probe.close(() => tell(true)))
  return promise
}

async function versionServedAt(port: number): Promise<string | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    return z.object({ ok: z.literal(true), version: z.string() }).parse(await answer.json()).version
  } catch {
    return null // somebody else listens there, or nobody that speaks HTTP
  }
}
