import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { findProgram, launcherEnvironment } from '../process/program.ts'
import { removeFolder } from './remove-folder.ts'
import { runProcess } from '../process/run-process.ts'
import { scratchFolder } from './scratch-folder.ts'

const MOST_BYTES = 2 * 1024 ** 3

/** A copy of a workspace for a command whose changes are thrown away, where no overlay can be mounted. */
export async function copyWorkspace(root: string, mostBytes = MOST_BYTES): Promise<{ path: string; discard: () => Promise<void> }> {
  await refuseLarge(root, mostBytes)
  const folder = await scratchFolder(tmpdir(), 'troupe-throw-away-')
  const path = join(folder, basename(root))
  const discard = () => removeFolder(folder)
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

async function coreutil(name: string, ...args: string[]) {
  return runProcess([findProgram(name) ?? name, ...args], { env: launcherEnvironment })
}
