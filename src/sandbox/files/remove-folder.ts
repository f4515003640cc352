import { rm } from 'node:fs/promises'
import { Problem, systemCode } from '../../domain/problem.ts'
import { findProgram, launcherEnvironment } from '../process/program.ts'
import { runProcess } from '../process/run-process.ts'

/** Removes a folder with everything in it, also where a command has closed folders in it to everyone. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')) throw error
    await openUp(path)
    await removeStepwise(path)
  }
}

/** As `rm` does it, which goes from folder to folder: a command may nest them deeper than any path is long. */
async function removeStepwise(path: string): Promise<void> {
  const { exit_code, stderr } = await runProcess([findProgram('rm') ?? 'rm', '-rf', '--', path], { env: launcherEnvironment })
  if (exit_code !== 0) throw new Problem('internal', `${path} could not be removed: ${stderr.trim().split('\n')[0]}`)
}

/** Lets us read and change everything in a folder again that a command may have closed. No link in it is followed. */
export async function openUp(folder: string): Promise<void> {
  if (process.getuid?.() === 0) return // nothing is closed to root
  await runProcess([findProgram('chmod') ?? 'chmod', '-R', 'u+rwX', '--', folder], { env: launcherEnvironment })
}
