import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './steps.mjs'

/** A database server removes its files when it hears that its tests are over, which is a moment later. */
const PATIENCE_MS = 30_000

/** Gives work a temporary folder of its own and what compiled code it can share; false, with their names, when files are left in the folder. */
export async function leavingNothing(work) {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-suite-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })) // also when we are stopped, while tests still write
  await chmod(folder, 0o1777) // some tests act as an ordinary user, who needs it like any other temporary folder
  await work({ TMPDIR: folder, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'troupe-tests') })
  const left = await leftIn(folder)
  if (left.length > 0) process.stderr.write(`▸ left behind in the temporary folder: ${left.join(', ')}\n`)
  return left.length === 0
}

async function leftIn(folder) {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const left = await readdir(folder)
    if (left.length === 0 || Date.now() > until) return left
    await sleep(100)
  }
}
