import { accessSync, constants } from 'node:fs'

/** Where the tools a sandbox is built with may live. Not PATH: a project could put its own `bwrap` first there. */
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/wrappers/bin', '/run/current-system/sw/bin']

/** What the programs that build a sandbox see: nothing a command could have chosen. */
export const launcherEnvironment = { PATH: folders.join(':'), LC_ALL: 'C' } as const

/** The absolute path of a system program, or null where it is not installed. */
export function findProgram(name: string): string | null {
  return folders.map((folder) => `${folder}/${name}`).find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
