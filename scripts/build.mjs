import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { pinnedNode, root, run, step, tool } from './steps.mjs'

/** Installs what the lock asks for and builds what is older than its sources: the program (dist/) and the page (web/dist/). */
export async function build() {
  await ensureInstalled()
  if (!isFresh('dist/main.js', ['src', 'package-lock.json'])) {
    await step('building the program', () => run(pinnedNode, ['scripts/bundle.mjs']))
  }
  if (!isFresh('web/dist/index.html', ['web', 'src/api', 'src/domain', 'package-lock.json'])) {
    await step('building the page', () => run(tool('vite'), ['build', 'web', '--logLevel', 'warn']))
  }
}

/** Whether a built file is younger than everything it was built from. A folder counts too: it changes when a file in it goes. */
function isFresh(built, sources) {
  const path = join(root, built)
  return existsSync(path) && sources.every((source) => newest(join(root, source)) <= statSync(path).mtimeMs)
}

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const inside = readdirSync(path).filter((name) => name !== 'dist')
  return inside.reduce((time, name) => Math.max(time, newest(join(path, name))), stat.mtimeMs)
}
