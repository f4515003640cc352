import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inFolder } from '../../sandbox/files/in-folder.ts'

/**
 * Works in `.troupe`, or in a folder of it, which is made where it is missing. A cloned project may hold a link in its place,
 * and an agent may put one there: nothing is written through it.
 */
export async function inOwnFolder<Result>(
  root: string,
  name: string,
  work: (at: (name: string) => string) => Promise<Result>,
): Promise<Result> {
  return inFolder(root, join(root, '.troupe', name), work, true)
}

/** Files Troupe makes are kept out of the user's git status by a list that ignores itself too; a list of the user's own is left alone. */
export async function ignoreOwnFiles(root: string): Promise<void> {
  await inOwnFolder(root, '', (at) => writeFile(at('.gitignore'), ownFilesIgnored, { flag: 'wx' })).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
}

/** What git is to ignore in `.troupe`: what Troupe makes, and this list. Settings, roles and workflows are meant to be shared. */
export const ownFilesIgnored = ['/.gitignore', '/worktrees/', '/agents/', '/reports/', '/state.yaml*', '/log.yaml*', ''].join('\n')
