import { writeScreenshots } from '../tests/browser/screenshots.ts'
import { build } from './build.mjs'
import { main } from './steps.mjs'

// Run by the pinned Node, which reads the states as they are written.
await main(async () => {
  await build()
  await writeScreenshots()
})
