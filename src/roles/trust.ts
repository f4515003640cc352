import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { faultsProblem, visible, type RoleFault } from './fault.ts'
import { readRoleFile } from './read-folder.ts'

/** Kept beside the user's own roles, where no project can write. One hash a line, then the file it was. */
const TRUST_FILE = '.trusted'

/** The hashes of project role files the user trusts. */
export async function readTrusted(userDir: string | undefined): Promise<ReadonlySet<string>> {
  if (userDir === undefined) return new Set()
  const text = await readFile(join(userDir, TRUST_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return new Set(text.split('\n').map((line) => line.split(' ')[0] ?? ''))
}

/** Trusts a project's role file as it is now; any later change to it is untrusted again. */
export async function trustRoleFile(file: string, userDir: string): Promise<void> {
  const faults: RoleFault[] = []
  const read = await readRoleFile(file, 'project', faults)
  if (read === undefined) throw faultsProblem(faults)
  await mkdir(userDir, { recursive: true, mode: 0o700 })
  await appendFile(join(userDir, TRUST_FILE), `${trustHash(read.bytes)} ${visible(resolve(file))}\n`, { mode: 0o600 })
}

/** What stands for a file's exact content. */
export function trustHash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
