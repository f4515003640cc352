import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Files Troupe makes are kept out of the user's git status by a list that ignores itself too; a list of the user's own is left alone. */
export async function ignoreOwnFiles(root: string): Promise<void> {
  const folder = join(root, '.troupe')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '.gitignore'), ownFilesIgnored, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** What git is to ignore in `.troupe`: what Troupe makes, and this list. Settings, roles and workflows are meant to be shared. */
export const ownFilesIgnored = ['/.gitignore', '/worktrees/', '/agents/', '/reports/', '/state.yaml*', '/log.yaml*', ''].join('\n')
