import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packed, { inflate } from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

/** Our own choice: the package's includes switches that turn off what a browser protects a page by. */
const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--hide-scrollbars']

/** What outlives a run of the tests. */
const cache = join(import.meta.dirname, '../../node_modules/.cache')

/** Launches the Chromium that npm brought along, unpacking it on the first call on a machine. */
export async function launchBrowser(): Promise<Browser> {
  packed.setGraphicsMode = false
  const executablePath = await unpacked()
  const env = { ...process.env, TMPDIR: await ownScratch() }
  return chromium.launch({ executablePath, args, env }).catch(async (error: unknown) => {
    // A machine without the libraries a browser needs: the package has those, too.
    if (!/shared librar/.test(String(error))) throw error
    const archive = join(import.meta.dirname, '../../node_modules/@sparticuz/chromium/bin/al2023.tar.br')
    const libraries = await unpackInto(cache, () => inflate(archive))
    return chromium.launch({ executablePath, args, env: { ...env, LD_LIBRARY_PATH: join(libraries, 'lib') } })
  })
}

/** Chromium leaves folders where it may write; these go with us. */
async function ownScratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-browser-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Unpacked elsewhere and moved in one go: two test files that start together must not run half a browser. */
async function unpacked(): Promise<string> {
  const path = join(cache, 'chromium-153')
  if (existsSync(join(path, 'chromium'))) return join(path, 'chromium')
  await mkdir(cache, { recursive: true })
  const own = await mkdtemp(join(cache, 'unpacking-'))
  await unpackInto(own, () => packed.executablePath())
  await rename(own, path).catch(() => rm(own, { recursive: true })) // someone else was quicker, with the same content
  return join(path, 'chromium')
}

/** The package unpacks to the temporary folder, and nowhere else. */
async function unpackInto(folder: string, unpack: () => Promise<string>): Promise<string> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    return await unpack()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
