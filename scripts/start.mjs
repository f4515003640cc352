import { build } from './build.mjs'
import { join } from 'node:path'
import { main, root, run } from './steps.mjs'

await main(async () => {
  await build()
  await run(join(root, 'bin', 'troupe'), ['serve', ...process.argv.slice(2)])
})
