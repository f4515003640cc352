import { cp, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import type { ChatContext } from './context.ts'

/** The demo project as it comes with Troupe. */
export const demoSource = join(import.meta.dirname, '../../demo')

export const copyDemo = defineOperation({
  name: 'chat.open_demo',
  summary: 'Copy the demo project to a folder that may be thrown away',
  by: ['person'],
  effect: 'change',
  absent: { cli: 'the terminal opens a talk in the copy', dry_run: 'the copy is thrown away anyway' },
  input: z.strictObject({}),
  output: z.object({ workspace: z.string() }),
  example: {},
  tell: ({ workspace }) => workspace,
  run: async (_context: ChatContext) => ({ workspace: await openDemo() }),
})

/** A fresh copy of the demo project, a small program with a bug and a failing test; whatever happens to it is thrown away. */
export async function openDemo(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-demo-')))
  await cp(demoSource, folder, { recursive: true })
  return folder
}
