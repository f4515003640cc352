import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isInside } from './inside.ts'
import { storePaths } from './store-paths.ts'

/** Version managers keep what their PATH entries start elsewhere under the home. None of these holds credentials. */
const managers = `
  .nvm/versions .fnm .local/share/fnm .volta .pyenv .rbenv .rustup .asdf .local/share/mise .sdkman/candidates
  .local/share/pnpm .local/share/uv .bun/bin .deno/bin go/bin go/pkg miniconda3 anaconda3 .cargo/registry
`
  .trim()
  .split(/\s+/)

/** What an installation keeps beside its `bin`. Not `share` or `etc`: under ~/.local those hold keys and settings. */
const besideBin = ['lib', 'lib64', 'libexec', 'include']

/** Toolchains that live in hidden folders and must stay readable, or half of all projects could not be built. */
export function toolchainFolders(env: Readonly<Record<string, string>>, hidden: readonly string[]): string[] {
  const home = homedir()
  const entries = [...(env.PATH ?? '').split(':'), dirname(process.execPath)]
  const beside = entries
    .filter((entry) => basename(entry) === 'bin')
    .flatMap((entry) => besideBin.map((name) => join(dirname(entry), name)))
  const folders = [...entries, ...beside, ...managers.map((name) => join(home, name))]
  const stores = storePaths()
  const shown = [...new Set(folders)].filter((folder) => {
    const isHidden = hidden.some((path) => path !== folder && isInside(path, folder))
    const showsHome = hidden.some((path) => isInside(folder, path))
    return isHidden && !showsHome && !stores.some((store) => isInside(store, folder)) && isFolder(folder)
  })
  return shown.filter((folder) => !shown.some((other) => other !== folder && isInside(other, folder)))
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false // in someone else's home
  }
}
