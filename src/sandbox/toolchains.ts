import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isInside } from './files/inside.ts'
import { storePaths } from './files/store-paths.ts'
import { words } from './process/word-list.ts'

/** Version managers keep what their PATH entries start elsewhere under the home. None of these holds credentials. */
const managers = words`
  .nvm/versions .fnm .local/share/fnm .volta .pyenv .rbenv .rustup .asdf .local/share/mise .sdkman/candidates
  .local/share/pnpm .local/share/uv .bun/bin .deno/bin go/bin go/pkg miniconda3 anaconda3 .cargo/registry
`

/** What an installation keeps beside its `bin`. Not `share` or `etc`: under ~/.local those hold keys and settings. */
const besideBin = ['lib', 'lib64', 'libexec', 'include']

/**
 * Toolchains that live in hidden folders and must stay readable, or half of all projects could not be built. Not those of a project:
 * the workspace brings its own, and what is in another may be a link that a command made.
 */
export function toolchainFolders(env: Readonly<Record<string, string>>, hidden: readonly string[], root: string): string[] {
  const home = homedir()
  const entries = [...(env.PATH ?? '').split(':').filter((entry) => !`${entry}/`.includes('/node_modules/')), dirname(process.execPath)]
  const beside = entries
    .filter((entry) => basename(entry) === 'bin')
    .flatMap((entry) => besideBin.map((name) => join(dirname(entry), name)))
  const managed = managers.map((name) => join(home, name))
  const stores = storePaths()
  const shown = [...new Set([...entries, ...beside, ...managed])].filter((folder) => {
    if (isInside(root, folder) || !hidden.some((path) => path !== folder && isInside(path, folder))) return false
    const real = realFolder(folder)
    const isRight = real !== null && (basename(real) === basename(folder) || managed.some((path) => isInside(path, real)))
    return isRight && !hidden.some((path) => isInside(real, path)) && !stores.some((store) => isInside(store, real))
  })
  return shown.filter((folder) => !shown.some((other) => other !== folder && isInside(other, folder)))
}

/** Where a folder really is. A version manager's may be a link to one of its own; any other link leads to a folder of the same name or is not followed. */
function realFolder(path: string): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? realpathSync.native(path) : null
  } catch {
    return null // in someone else's home
  }
}
