import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { testFolder, type Cleanup } from '../../src/sandbox/test-folder.ts'

const inOwnMounts = ['--user', '--map-root-user', '--mount']

/** Why no small disk can be made on this machine; false where one can. */
export const noSmallDisk = mayMount() ? false : 'needs user namespaces, to mount a small disk'

/** Runs a script in a process that sees a disk of its own of so many MB, and gives what it printed. The script is given the folder of the disk first. */
export async function onSmallDisk(t: Cleanup, megabytes: number, script: string, ...args: string[]): Promise<unknown> {
  const folder = await testFolder(t)
  const mounted = 'folder=$1; size=$2; shift 2; mount -t tmpfs -o "size=$size" tmpfs "$folder" && exec "$@"'
  const command = ['sh', '-c', mounted, 'sh', folder, `${megabytes}m`, process.execPath, script, folder, ...args]
  const { stdout } = await promisify(execFile)('unshare', [...inOwnMounts, ...command])
  return JSON.parse(stdout)
}

function mayMount(): boolean {
  try {
    execFileSync('unshare', [...inOwnMounts, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
