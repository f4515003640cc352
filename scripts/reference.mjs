import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { referencePages } from '../tests/reference/pages.ts'
import { root } from './steps.mjs'

// Run by the pinned Node, which reads commands, routes and schemas as they are written.
const folder = join(root, 'docs', 'reference')
mkdirSync(folder, { recursive: true })
for (const [file, text] of Object.entries(await referencePages())) writeFileSync(join(folder, file), text)
