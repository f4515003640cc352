import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { architecture } from '../tests/diagrams.ts'
import { root } from './steps.mjs'

// Run by the pinned Node, which reads the state tables as they are written.
writeFileSync(join(root, 'ARCHITECTURE.md'), (await architecture()).shouldBe)
