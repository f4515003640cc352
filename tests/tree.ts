import { hash } from 'node:crypto'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Every file, folder and link below a folder with its mode and content, so that two moments can be compared byte by byte. */
export async function treeOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const described = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name)
    const { mode } = await lstat(path)
    const content = entry.isFile() ? hash('sha256', await readFile(path)) : entry.isSymbolicLink() ? await readlink(path) : ''
    return [relative(root, path), `${mode.toString(8)} ${content}`] as const
  })
  return Object.fromEntries((await Promise.all(described)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
