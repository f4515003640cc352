import { writeScreenshots } from '../tests/browser/screenshots.ts'
import { build } from './build.mjs'
import { main } from './steps.mjs'

// Run by the pinned Node, which reads the states as they are written. `npm run screenshots -- board roles` takes only these.
await main(async () => {
  await build()
  await writeScreenshots(process.argv.slice(2))
})
