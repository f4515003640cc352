import { accessSync, constants } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { isInside } from '../files/inside.ts'

/** Where the tools a sandbox is built with may live. Not PATH: a project could put its own `bwrap` first there. */
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/wrappers/bin', '/run/current-system/sw/bin']

/** What the programs that build a sandbox see: nothing a command could have chosen. */
export const launcherEnvironment = { PATH: folders.join(':'), LC_ALL: 'C' } as const

/** The absolute path of a system program, or null where it is not installed. */
export function findProgram(name: string): string | null {
  return folders.map((folder) => `${folder}/${name}`).find(isExecutable) ?? null
}

/**
 * The same for one that may also be installed elsewhere, found on a PATH: never in a project, where anybody may have put a program of
 * that name, and not among its packages, which npm and npx put first.
 */
export function findInstalled(name: string, path: string, project: string | null): string | null {
  return (
    findProgram(name) ??
    foldersBeyond(path, project)
      .map((folder) => join(folder, name))
      .find(isExecutable) ??
    null
  )
}

/** The folders of a PATH that belong neither to a project nor to packages that one has installed. */
export function foldersBeyond(path: string, project: string | null): string[] {
  const isOwn = (folder: string) => project !== null && project !== '/' && isInside(project, folder)
  return path.split(':').filter((folder) => isAbsolute(folder) && !isOwn(folder) && !`${folder}/`.includes('/node_modules/'))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
