import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'
import { getMimeType } from 'hono/utils/mime'

interface PageFile {
  type: string
  plain: Buffer<ArrayBuffer>
  /** Packed when it is first asked for: a server that nobody looks at need not compute. */
  packed: () => Promise<Buffer<ArrayBuffer>>
}

export type PageFiles = ReadonlyMap<string, PageFile>

/** The built page, read into memory once: what is not in this list cannot be asked for, so there is no path to climb. */
export async function readPage(folder: string): Promise<PageFiles> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = await Promise.all(files.map(async (file) => [file.slice(folder.length), await readPageFile(file)] as const))
  return new Map(read)
}

/** Sends a file of the page; an address without a file belongs to the page's own router. */
export async function sendPage(c: Context, page: PageFiles): Promise<Response | null> {
  const file = page.get(c.req.path) ?? (extname(c.req.path) === '' ? page.get('/index.html') : undefined)
  if (file === undefined) return null
  const packed = c.req.header('accept-encoding')?.includes('gzip') === true
  return c.body(packed ? await file.packed() : file.plain, 200, {
    'content-type': file.type,
    vary: 'accept-encoding',
    // Built assets carry a hash in their name; everything else is asked for again.
    'cache-control': c.req.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(packed ? { 'content-encoding': 'gzip' } : {}),
  })
}

async function readPageFile(file: string): Promise<PageFile> {
  const plain = await readFile(file)
  let packed: Promise<Buffer<ArrayBuffer>> | undefined
  return { type: getMimeType(file) ?? 'application/octet-stream', plain, packed: () => (packed ??= promisify(gzip)(plain)) }
}
