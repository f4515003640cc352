import { createHash } from 'node:crypto'
import { closeSync, existsSync, lstatSync, openSync, readFileSync, readdirSync, readSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { knownGitPlace } from '../git/place.ts'
import { readPlainText } from './plain-text.ts'
import { isListed, mayHoldToken, secretRule } from './secret.ts'

/** Folders with very many files, and none of the user's secrets. What is hidden cannot be moved into them. */
const skipped = new Set(['node_modules', '.git'])

const MOST_FOLDERS = 50_000
const MOST_BYTES = 1024 ** 2

/** A change this soon after a look may bear the same time as the look. */
const UNSURE_MS = 1000

interface SeenFolder {
  mark: string
  folders: readonly string[]
  secrets: readonly string[]
}

const known = new Map<string, Map<string, SeenFolder>>()

/**
 * The secrets in a workspace that its commands must not read, by the names that the file tools refuse. Not those the user listed, and not
 * what is committed just as it is, a key for tests say: every command reads the commits.
 */
export function secretsWithin(root: string, allowedSecrets: readonly string[]): string[] {
  const hidden = namedSecrets(root).filter((path) => {
    const name = relative(root, path)
    return !isListed(name, allowedSecrets) && !(mayHoldToken(name) && !holdsToken(path)) && !isCommitted(root, path)
  })
  return [...new Set(hidden.flatMap(realPath))]
}

function namedSecrets(root: string): string[] {
  const before = known.get(root)
  const after = new Map<string, SeenFolder>()
  const left = [root]
  for (let folder = left.pop(); folder !== undefined && after.size < MOST_FOLDERS; folder = left.pop()) {
    const seen = look(root, folder, before?.get(folder))
    if (seen === null) continue
    after.set(folder, seen)
    left.push(...seen.folders)
  }
  known.set(root, after)
  return [...after.values()].flatMap(({ secrets }) => secrets)
}

/** A folder is read again only where the kernel says that it changed. */
function look(root: string, folder: string, before: SeenFolder | undefined): SeenFolder | null {
  try {
    const { ino, ctimeMs } = lstatSync(folder)
    const mark = `${ino} ${ctimeMs}`
    if (before?.mark === mark) return before
    const seen = { folders: [] as string[], secrets: [] as string[] }
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (isSecretName(relative(root, path))) seen.secrets.push(path)
      else if (entry.isDirectory() && !skipped.has(entry.name)) seen.folders.push(path)
    }
    return { mark: Date.now() - ctimeMs > UNSURE_MS ? mark : '', ...seen }
  } catch {
    return null // it went away, or is closed to us and so to a command
  }
}

/** Git's own settings are not among them: git reads them in every command. */
function isSecretName(name: string): boolean {
  const rule = secretRule(name, 'read')
  return (rule !== null && rule !== 'git_config') || mayHoldToken(name)
}

export function holdsToken(path: string): boolean {
  return /(_authToken|_auth|_password)\s*=|npmAuth(Token|Ident)["']?\s*:/.test(readPlainText(path))
}

/** What a link names is what is hidden. */
function realPath(path: string): string[] {
  try {
    return [realpathSync.native(path)]
  } catch {
    return [] // a link to nothing
  }
}

/** Whether the very content of a file is in the repository. Nobody can put it there who does not know it. */
function isCommitted(root: string, path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  const commonDir = stat?.isFile() === true && stat.size <= MOST_BYTES ? knownGitPlace(root)?.commonDir : undefined
  if (commonDir === undefined) return false
  const content = contentOf(path)
  if (content === null) return false
  const id = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
  const objects = join(commonDir, 'objects')
  return existsSync(join(objects, id.slice(0, 2), id.slice(2))) || packsIn(join(objects, 'pack')).some((pack) => holdsObject(pack, id))
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function packsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.idx'))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Looks an object up in the index of a pack, as git lays it out since version 2: a table of 256 counts, then the sorted names. */
function holdsObject(file: string, id: string): boolean {
  const fd = openSync(file, 'r')
  try {
    const read = (at: number, bytes: number) => {
      const buffer = Buffer.alloc(bytes)
      return readSync(fd, buffer, 0, bytes, at) === bytes ? buffer : null
    }
    if (read(0, 8)?.toString('hex') !== 'ff744f6300000002') return false
    const first = Number.parseInt(id.slice(0, 2), 16)
    let low = first === 0 ? 0 : (read(8 + (first - 1) * 4, 4)?.readUInt32BE() ?? 0)
    let high = read(8 + first * 4, 4)?.readUInt32BE() ?? 0
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const found = read(8 + 1024 + middle * 20, 20)?.toString('hex')
      if (found === undefined || found === id) return found === id
      if (found < id) low = middle + 1
      else high = middle
    }
    return false
  } finally {
    closeSync(fd)
  }
}
