import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'

/** More is written in the background; less takes longer to hand over than to write. */
const AT_ONCE_LENGTH = 200_000

/** Writes a file, readable by its owner alone, so that a reader, or a crash, meets the old one or the new one, never a half. */
export async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    if (content.length > AT_ONCE_LENGTH) await writeFile(draft, content, { mode: 0o600 })
    else writeFileSync(draft, content, { mode: 0o600 })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
