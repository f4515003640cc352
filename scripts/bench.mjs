import { build } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { main, pinnedNode, run } from './steps.mjs'

await main(async () => {
  await ensureInstalled()
  await build()
  await run(pinnedNode, ['bench/run.ts', ...process.argv.slice(2)])
})
