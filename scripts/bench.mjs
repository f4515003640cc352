import { build } from './build.mjs'
import { main, pinnedNode, run } from './steps.mjs'

await main(async () => {
  await build()
  await run(pinnedNode, ['bench/run.ts', ...process.argv.slice(2)])
})
