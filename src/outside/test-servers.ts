import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unbounded } from '../domain/bounds.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { connectServer, type ServerPlace } from './connection.ts'
import { readReview, serverFileName, writeReview } from './review-file.ts'
import { valuesOf, type OutsideServer } from './server.ts'
import { ServerSettings } from './settings.ts'
import type * as z from 'zod'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** What a test has a server do; see `test-server.mjs`. */
export interface TestBehaviour {
  tools?: readonly { name: string; description?: string; annotations?: Record<string, boolean>; inputSchema?: object }[]
  onCall?: string
  garbage?: number
  mute?: boolean
  exit?: number
  cancelled?: string
}

/** The settings of a server that does what a test says. It lies where a command may be shown nothing of it by itself. */
export function testServerSettings(behaviour: TestBehaviour, more: Partial<z.input<typeof ServerSettings>> = {}) {
  const script = fileURLToPath(new URL('test-server.mjs', import.meta.url))
  return { command: process.execPath, args: [script, JSON.stringify(behaviour)], mounts: [checkout], ...more }
}

const official = {
  filesystem: ['server-filesystem/dist/index.js', '{workspace}'],
  everything: ['server-everything/dist/index.js'],
  memory: ['server-memory/dist/index.js'],
  'sequential-thinking': ['server-sequential-thinking/dist/index.js'],
} as const

/** The settings of one of the official servers, installed for tests. */
export function officialServer(name: keyof typeof official, more: Partial<z.input<typeof ServerSettings>> = {}) {
  const [script, ...args] = official[name]
  return {
    command: process.execPath,
    args: [join(checkout, 'node_modules/@modelcontextprotocol', script), ...args],
    mounts: [checkout],
    ...more,
  }
}

/** A server as the settings name it, which nobody has looked at. */
export async function aServer(
  t: Cleanup,
  settings: z.input<typeof ServerSettings>,
  name = 'test',
  env: Record<string, string> = {},
): Promise<OutsideServer> {
  const parsed = ServerSettings.parse(settings)
  const file = join(await testFolder(t), serverFileName(name))
  return { name, settings: parsed, from: 'user', ...valuesOf(parsed, env), file, reviewed: null }
}

/** The same, after the user has looked at it. */
export async function aReviewedServer(
  t: Cleanup,
  settings: z.input<typeof ServerSettings>,
  name = 'test',
  env: Record<string, string> = {},
): Promise<OutsideServer> {
  const server = await aServer(t, settings, name, env)
  const connection = await connectServer(server, await placeIn(await testFolder(t)), new AbortController().signal)
  await writeReview(server.file, {
    reviewed_at: new Date().toISOString(),
    tools: [...connection.tools],
    unreviewed: [],
    era: connection.era,
  })
  await connection.close()
  return { ...server, reviewed: readReview(server.file) }
}

/** A place in a folder, as a role that only reads has it. */
export async function placeIn(root: string, more: Partial<ServerPlace> = {}): Promise<ServerPlace> {
  return { root, access: 'read', bounds: unbounded, commands: commandSettingsWith(), sandbox: await detectSandbox(), ...more }
}
