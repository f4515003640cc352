// Synchronous: every tool call comes through here, and a trip to the thread pool takes ten times as long as the look itself.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { type Bounds, isInPaths, leadsToPaths } from '../../domain/bounds.ts'
import { Problem, systemCode } from '../../domain/problem.ts'
import { isInside } from './inside.ts'
import { kindOf } from './kind-of.ts'
import { shapesRepository } from '../git/repository-shape.ts'
import { type SecretRule, isListed, mayHoldToken, secretRule } from './secret.ts'
import { holdsToken } from './secrets-within.ts'
import { isOwnRecord } from './store-paths.ts'
import { shorten } from '../../domain/text/format.ts'

/** Which rule refused a path; it is in the `details` of the Problem. */
export type PathRule =
  | SecretRule
  | 'empty'
  | 'control_character'
  | 'backslash'
  | 'home'
  | 'outside'
  | 'process_folder'
  | 'unreadable'
  | 'too_many_links'
  | 'too_long'
  | 'store'
  | 'role_paths'

export interface PathOptions {
  use: 'read' | 'write'
  /** Secrets the user listed: relative paths, folders or patterns. */
  allowedSecrets?: readonly string[]
  /** Where a role may read and change; a folder that leads there counts only where it is asked for as one. */
  bounds?: Pick<Bounds, 'read_paths' | 'write_paths'>
  leading?: boolean
}

/** A path that is inside its root. `path` is absolute and free of links; `relative` is `.` for the root itself. */
export interface InsidePath {
  path: string
  relative: string
  exists: boolean
}

const MOST_LINKS = 40
const MOST_BYTES = 4096

/** Keeps a path inside its root, whatever it is made of; a refusal says which rule refused it. */
export async function resolveInside(root: string, path: string, options: PathOptions): Promise<InsidePath> {
  refuseWriting(path)
  const realRoot = realpathSync.native(root)
  const asked = join('/', isAbsolute(path) ? relative(realRoot, path) : path).slice(1)
  const found = follow(realRoot, path)
  if (!isInside(realRoot, found.path)) throw refusal(path, 'outside', `is outside the workspace ${realRoot}`)
  refuseStore(realRoot, path, found.path)
  const inside = relative(realRoot, found.path)
  for (const name of new Set([asked, inside])) refuseSecret(realRoot, path, name, options)
  refuseBeyondRole(path, inside, { ...options, leading: options.leading === true && kindOf(found.path) === 'folder' })
  if (options.use === 'write') refuseRepository(realRoot, path, found.path)
  return { path: found.path, relative: inside === '' ? '.' : inside, exists: found.exists }
}

/** A refusal for what is wrong with the text itself, before the file system is asked anything. */
function refuseWriting(path: string): void {
  if (path.trim() === '') throw refusal(path, 'empty', 'is empty; name a file, or . for the workspace itself')
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001F\u007F]/.test(path)) throw refusal(path, 'control_character', 'holds a control character')
  if (path.includes('\\')) throw refusal(path, 'backslash', 'holds a backslash; folders are separated by /')
  if (/^~[^/]*(\/|$)/.test(path)) throw refusal(path, 'home', 'starts with ~, which is not expanded; write it relative to the workspace')
  if (Buffer.byteLength(path) >= MOST_BYTES) throw refusal(path, 'too_long', `is longer than ${MOST_BYTES} bytes`)
}

/** Walks a path as the kernel would, one name at a time, following every link; what does not exist yet is taken by its name. */
function follow(root: string, path: string): { path: string; exists: boolean } {
  const names = path.split('/').toReversed()
  let at = isAbsolute(path) ? '/' : root
  let exists = true
  let links = 0
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      at = join(at, '..')
      continue
    }
    at = join(at, name)
    if (isInside('/proc', at)) throw refusal(path, 'process_folder', 'leads through /proc, where names mean other things to each process')
    const target = linkTarget(path, at)
    exists = target !== 'missing'
    if (target === 'missing' || target === 'none') continue
    links += 1
    if (links > MOST_LINKS) throw refusal(path, 'too_many_links', `leads through more than ${MOST_LINKS} links`)
    names.push(...target.to.split('/').toReversed())
    at = isAbsolute(target.to) ? '/' : join(at, '..')
  }
  return { path: at, exists }
}

function linkTarget(asked: string, at: string): 'missing' | 'none' | { to: string } {
  try {
    const stat = lstatSync(at, { throwIfNoEntry: false })
    if (stat === undefined) return 'missing'
    return stat.isSymbolicLink() ? { to: readlinkSync(at) } : 'none'
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENAMETOOLONG') throw refusal(asked, 'too_long', 'holds a name that is too long')
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
    throw refusal(asked, 'unreadable', `cannot be followed: ${code}`)
  }
}

function refuseStore(root: string, asked: string, path: string): void {
  if (isOwnRecord(root, path)) throw refusal(asked, 'store', "belongs to Troupe's own records, which no role may touch")
}

function refuseSecret(root: string, asked: string, name: string, { use, allowedSecrets = [] }: PathOptions): void {
  if (isListed(name, allowedSecrets)) return
  const rule = secretRule(name, use) ?? (mayHoldToken(name) && holdsToken(join(root, name)) ? 'credentials' : null)
  if (rule !== null) throw refusal(asked, rule, `is kept from every role (${rule}) unless the user lists it under allowed_secrets`)
}

/** By the real place alone: a link is as good as what it names. */
function refuseBeyondRole(asked: string, place: string, { use, bounds, leading = false }: PathOptions): void {
  if (bounds === undefined) return
  const path = place === '' ? '.' : place
  const isSeen = leading ? leadsToPaths(path, bounds.read_paths) : isInPaths(path, bounds.read_paths)
  if (!isSeen) throw refusal(asked, 'role_paths', `is not for this role to see; its read_paths are ${listed(bounds.read_paths)}`)
  if (use === 'write' && !isInPaths(path, bounds.write_paths))
    throw refusal(asked, 'role_paths', `is not for this role to change; its write_paths are ${listed(bounds.write_paths)}`)
}

function listed(lists: Bounds['read_paths']): string {
  return lists.map((globs) => globs.join(', ') || 'none').join(' and within ')
}

/** Git needs no folder called `.git`: it would run what the settings say that were written here. */
function refuseRepository(root: string, asked: string, path: string): void {
  const folder = shapesRepository(root, path)
  if (folder !== null) throw refusal(asked, 'git_folder', `would be part of a git repository in ${folder}, which no role may write`)
}

function refusal(path: string, rule: PathRule, why: string): Problem {
  const shown = shorten(path, 200)
  return new Problem('denied', `the path ${JSON.stringify(shown)} ${why}`, { details: { path: shown, rule } })
}
