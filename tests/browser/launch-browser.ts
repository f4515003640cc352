import { existsSync } from 'node:fs'
import { mkdtemp, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packed, { inflate } from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

/** Our own choice: the package's includes switches that turn off what a browser protects a page by. */
const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--hide-scrollbars']

/** Launches the Chromium that npm brought along, unpacking it on the first call on a machine. */
export async function launchBrowser(): Promise<Browser> {
  packed.setGraphicsMode = false
  const executablePath = await unpacked()
  return chromium.launch({ executablePath, args }).catch(async (error: unknown) => {
    // A machine without the libraries a browser needs: the package has those, too.
    if (!/shared librar/.test(String(error))) throw error
    const libraries = await inflate(join(import.meta.dirname, '../../node_modules/@sparticuz/chromium/bin/al2023.tar.br'))
    return chromium.launch({ executablePath, args, env: { ...process.env, LD_LIBRARY_PATH: join(libraries, 'lib') } })
  })
}

/** Unpacked elsewhere and moved in one go: two test files that start together must not run half a browser. */
async function unpacked(): Promise<string> {
  const path = join(tmpdir(), 'troupe-chromium-153')
  if (existsSync(join(path, 'chromium'))) return join(path, 'chromium')
  const own = await mkdtemp(join(tmpdir(), 'troupe-unpacking-'))
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = own
  try {
    await packed.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  await rename(own, path).catch(() => undefined) // someone else was quicker, with the same content
  return join(path, 'chromium')
}
