import { ensureInstalled } from './install.mjs'
import { main, run, step, tool, withPinnedNode } from './steps.mjs'

await main(async () => {
  await ensureInstalled()
  await check()
})

/** Types, lint, format, dead exports. All four are run, so that one call shows everything there is to fix. */
async function check() {
  // Each further checker reads most types again, in the lint too: on few cores that costs more than it saves.
  const env = { ...withPinnedNode(), GOMAXPROCS: '1' }
  const checks = [
    ['types', tool('tsc'), ['-p', '.', '--checkers', '1']],
    ['lint', tool('oxlint'), ['--type-aware', '--deny-warnings']],
    ['format', tool('oxfmt'), ['--check']],
    ['dead exports', tool('knip'), ['--no-progress', '--cache', '--cache-location', 'node_modules/.cache/knip']],
  ]
  const failed = []
  for (const [title, program, args] of checks) {
    await step(title, () => run(program, args, { env })).catch(() => failed.push(title))
  }
  if (failed.length > 0) throw new Error(`npm run check: ${failed.join(', ')} failed`)
}
