import { cp, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The demo project as it comes with Troupe. */
export const demoSource = join(import.meta.dirname, '../../demo')

/** A fresh copy of the demo project, a small program with a bug and a failing test; whatever happens to it is thrown away. */
export async function openDemo(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-demo-')))
  await cp(demoSource, folder, { recursive: true })
  return folder
}
