import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../domain/problem.ts'

/** The token of this home: made once, kept in a file only its owner can read. */
export async function ownToken(home: string): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const file = join(home, 'token')
  const kept = await keptToken(file)
  if (kept !== null) return kept
  const draft = join(home, `.token-${randomBytes(8).toString('hex')}`)
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  await chmod(draft, 0o600) // an unusual umask would leave the owner without it
  // Linked, not written in place: of two servers that start at once one wins, and the other never reads half a token.
  await link(draft, file).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await readFile(file, 'utf8')).trim()
}

/** A token that others could have read, or that is none, goes. */
async function keptToken(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null)
  if (found === null) return null
  const token = (await readFile(file, 'utf8')).trim()
  if ((found.mode & 0o077) === 0 && /^[\w-]{43}$/.test(token)) return token
  await rm(file, { force: true })
  return null
}
