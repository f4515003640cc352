import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isFresh } from './fresh.mjs'
import { pinnedNode, root, run, step, tool } from './steps.mjs'

/** Builds what is older than its sources: the program (dist/) and the page (web/dist/). */
export async function build() {
  if (!programIsFresh()) await step('building the program', () => run(pinnedNode, ['scripts/bundle.mjs']))
  if (!pageIsFresh()) await step('building the page', () => run(tool('vite'), ['build', 'web', '--logLevel', 'warn']))
}

function programIsFresh() {
  return isFresh('dist/main.js', ['src', 'package-lock.json'])
}

/** While there is no page there is nothing to build. */
function pageIsFresh() {
  if (!existsSync(join(root, 'web', 'vite.config.ts'))) return true
  return isFresh('web/dist/index.html', ['web', 'src/api', 'src/domain', 'package-lock.json'])
}
