import { build } from './build.mjs'
import { main } from './steps.mjs'

// `npm pack` and `npm publish` run this first: what is packed is never older than its sources.
await main(build)
