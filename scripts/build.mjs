import { isFresh } from './fresh.mjs'
import { pinnedNode, run, step, tool } from './steps.mjs'

/** Builds what is older than its sources: the program (dist/) and the page (web/dist/). */
export async function build() {
  if (!isFresh('dist/main.js', ['src', 'package-lock.json'])) {
    await step('building the program', () => run(pinnedNode, ['scripts/bundle.mjs']))
  }
  if (!isFresh('web/dist/index.html', ['web', 'src/api', 'src/domain', 'package-lock.json'])) {
    await step('building the page', () => run(tool('vite'), ['build', 'web', '--logLevel', 'warn']))
  }
}
