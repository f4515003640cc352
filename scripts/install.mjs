import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode, root, run, step } from './steps.mjs'

/** Makes node_modules match the lock; does nothing when it does already. */
export async function ensureInstalled() {
  const missing = missingPackages()
  if (missing.length === 0 && existsSync(pinnedNode)) return
  refuseLink()
  await step(`npm ci: ${missing.length || 'some'} packages to install from npm (about half a minute)`, () => run('npm', ['ci']))
  if (!existsSync(pinnedNode)) throw new Error('The pinned Node is not there after the install; run: npm ci --foreground-scripts')
}

/** npm begins by emptying the folder, and would empty the one behind the link: the packages of another checkout. */
function refuseLink() {
  const packages = join(root, 'node_modules')
  if (!lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new Error(`${packages} is a symbolic link and its packages are not those of the lock. Remove the link, then run: npm ci`)
}

/** Packages of the lock that node_modules has not, or has in another version. npm writes its own list last, so a broken install shows. */
export function missingPackages() {
  const wanted = packagesOf('package-lock.json')
  const present = packagesOf(join('node_modules', '.package-lock.json'))
  return Object.entries(wanted).flatMap(([path, wants]) => {
    const needed = path !== '' && !wants.optional && !wants.devOptional
    return needed && present[path]?.version !== wants.version ? [path] : []
  })
}

function packagesOf(file) {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}
