import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RoleSource } from '../domain/role.ts'
import { isLink } from '../sandbox/files/is-link.ts'
import { show, visible, type RoleFault } from './fault.ts'

/** A role file is a prompt of a few pages; anything larger was put there by mistake or by malice. */
const MAX_BYTES = 256 * 1024

export interface RoleFile {
  file: string
  bytes: Buffer
  text: string
}

/** The role files of one folder in a stable order; a folder that is not there holds none. */
export async function readRoleFolder(dir: string, source: RoleSource, faults: RoleFault[]): Promise<RoleFile[]> {
  if (source === 'project' && [dirname(dir), dir].some(isLink)) {
    faults.push({ file: visible(dir), line: 1, field: 'folder', found: 'a symbolic link', expected: 'a folder inside the project' })
    return []
  }
  const names = (await namesIn(dir)).filter((name) => /\.(md|json)$/.test(name)).toSorted()
  const files: RoleFile[] = []
  for (const name of names) {
    const read = await readRoleFile(join(dir, name), source, faults)
    if (read !== undefined) files.push(read)
  }
  return files
}

/** One role file as text, or nothing and a fault that says why it cannot be one. */
export async function readRoleFile(path: string, source: RoleSource, faults: RoleFault[]): Promise<RoleFile | undefined> {
  const file = visible(path)
  const refuse = (found: string, expected: string): undefined => {
    faults.push({ file, line: 1, field: 'file', found, expected })
  }
  // A cloned project must not make us read, and quote in an error, a file it merely points to.
  const info = await (source === 'project' ? lstat(path) : stat(path)).catch((error: NodeJS.ErrnoException) => error.code ?? 'an error')
  if (typeof info === 'string') return refuse(info, 'a readable file')
  if (!info.isFile()) return refuse(info.isSymbolicLink() ? 'a symbolic link' : 'no regular file', 'a regular file')
  if (info.size > MAX_BYTES) return refuse(`${info.size} bytes`, `at most ${MAX_BYTES} bytes`)

  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => error.code ?? 'an error')
  if (typeof bytes === 'string') return refuse(bytes, 'a readable file')
  const text = decode(bytes)
  if (text === undefined) return refuse(show(bytes.subarray(0, 16).toString('latin1')), 'UTF-8 text')
  return { file, bytes, text }
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
  } catch {
    return undefined // not UTF-8, which the caller reports with the file's name
  }
}
