import { build, needsBuild } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { join } from 'node:path'
import { main, root, run } from './steps.mjs'

await main(async () => {
  await ensureInstalled({ dev: needsBuild() })
  await build()
  await run(join(root, 'bin', 'troupe'), ['serve', ...process.argv.slice(2)])
})
