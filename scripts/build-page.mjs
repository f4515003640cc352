import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, tool } from './steps.mjs'

/** Builds the web page; nothing to do while there is none. */
export async function buildPage() {
  if (!existsSync(join(root, 'web', 'index.html'))) return
  await run(tool('vite'), ['build', '--logLevel', 'warn', 'web'])
}
