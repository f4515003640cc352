import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Problem, systemCode } from '../domain/problem.ts'
import { findProgram, launcherEnvironment } from './program.ts'
import { runProcess } from './run-process.ts'

const PREFIX = 'troupe-throw-away-'
const MOST_BYTES = 2 * 1024 ** 3

/** A copy of a workspace for a command whose changes are thrown away, where no overlay can be mounted. */
export async function copyWorkspace(root: string, mostBytes = MOST_BYTES): Promise<{ path: string; discard: () => Promise<void> }> {
  await refuseLarge(root, mostBytes)
  await discardAbandoned()
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  const path = join(folder, basename(root))
  const discard = () => rm(folder, { recursive: true, force: true })
  // Shares the blocks where the file system can; a plain copy elsewhere.
  const { exit_code, stderr } = await coreutil('cp', '-a', '--reflink=auto', '--', root, path)
  if (exit_code === 0) return { path, discard }
  await discard()
  throw new Problem('internal', `the workspace ${root} could not be copied for a command that must not change it: ${stderr.trim()}`)
}

async function refuseLarge(root: string, mostBytes: number): Promise<void> {
  const { stdout } = await coreutil('du', '-sxb', '--', root)
  const bytes = Number.parseInt(stdout, 10)
  if (bytes <= mostBytes) return
  const message = `the workspace ${root} holds ${bytes} bytes; a command that must not change it works on a copy here, and at most ${mostBytes} bytes are copied`
  throw new Problem('too_large', message, { details: { bytes, most: mostBytes } })
}

/** A process that was killed left its copy behind; the next one that copies clears it away. */
async function discardAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX))
  const abandoned = names.filter((name) => !isRunning(Number.parseInt(name.slice(PREFIX.length), 10)))
  await Promise.all(abandoned.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

async function coreutil(name: string, ...args: string[]) {
  return runProcess([findProgram(name) ?? name, ...args], { env: launcherEnvironment })
}
