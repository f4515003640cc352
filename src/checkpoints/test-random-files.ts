import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** Numbers that follow from a seed, from 0 up to and without 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const names = ['a', 'b', 'B', 'sub', 'deep/er', 'ü.txt', ' spaced ', '.env', '-x', 'new\nline', 'sub/c', 'deep/er/d', 'a/b']
const raw = Buffer.from([0x72, 0xff, 0xe9])

/** Does something to a workspace at random, as a command would. */
export function disturb(root: string, random: () => number): void {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const path = random() < 0.1 ? Buffer.concat([Buffer.from(`${root}/`), raw]) : join(root, pick(names))
  const acts: (() => void)[] = [
    () =>
      writeFileSync(
        path,
        random() < 0.3 ? randomBytes(Math.floor(random() * 3_000)) : `text ${random()}\n`.repeat(Math.floor(random() * 40)),
      ),
    () => writeFileSync(path, '', { flag: 'a' }),
    () => rmSync(path, { recursive: true, force: true }),
    () => void mkdirSync(path, { recursive: true }),
    // What comes later may write through a link, so none leads to anything that is there outside.
    () => symlinkSync(pick(['a', '../../no/such/folder/file', 'nowhere', '/no/such/folder', 'sub']), path),
    // Who is not root could not look into a folder without these rights, and so not compare it either.
    () => chmodSync(path, pick(statSync(path).isDirectory() ? [0o755, 0o700, 0o777] : [0o600, 0o644, 0o755, 0o700, 0o400, 0o777])),
    () => renameSync(path, join(root, pick(names))),
    () => linkSync(path, join(root, pick(names))),
    () => void (existsSync(path) && writeFileSync(path, 'same size'.slice(0, 4), { flag: 'r+' })),
  ]
  try {
    pick(acts)()
  } catch {
    // the file system said no, as it does to commands
  }
}

/** All there is in a workspace, to the byte: kinds, modes, contents, and where links lead. */
export function pictureOf(root: string): Record<string, string> {
  const picture: Record<string, string> = {}
  const look = (folder: Buffer, shown: string): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const place = Buffer.concat([folder, Buffer.from('/'), name])
      const stat = lstatSync(place)
      const key = `${shown}/${name.toString('latin1')}`
      const mode = (stat.mode & 0o7777).toString(8)
      if (stat.isSymbolicLink()) picture[key] = `link ${readlinkSync(place)}`
      else if (stat.isDirectory()) picture[key] = `folder ${mode}`
      else picture[key] = `file ${mode} ${readFileSync(place).toString('base64')}`
      if (stat.isDirectory()) look(place, key)
    }
  }
  look(Buffer.from(root), '')
  return picture
}
