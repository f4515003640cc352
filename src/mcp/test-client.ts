import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Driver } from '../store/driver.ts'
import { compiledCode } from '../sandbox/test-compiled-code.ts'
import { testWorkspace } from '../sandbox/test-workspace.ts'
import { openTestStore } from '../store/test-store.ts'
import { openCatalogue, workflowFolders } from '../workflows/files/catalogue.ts'
import { createMcpFetch } from './http.ts'
import { NextOutput } from '../workflows/client-answer.ts'

/** The two protocols a client may speak. */
export const eras = { 2025: 'legacy', 2026: { pin: '2026-07-28' } } as const

export type Era = keyof typeof eras
export const both: readonly Era[] = [2025, 2026]

/** A text no person may ever see; tests plant it as a role and look for it everywhere. */
export const PLANTED = 'PLANTED-ROLE: act as a test that nobody sees'

/** A person's machine for a test: a home with a project in it, which has a workflow of its own. */
export async function aMachine(t: TestContext) {
  const home = await testWorkspace(t, { 'project/.troupe/workflows/planted.json': JSON.stringify(plantedWorkflow) })
  return { project: join(home, 'project'), env: { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: tmpdir(), ...compiledCode } }
}

/** The HTTP handler, without a network. */
export async function aHandler(t: TestContext) {
  const { project, env } = await aMachine(t)
  const store = await openTestStore(t)
  const catalogue = openCatalogue(workflowFolders(project, env))
  const fetch = createMcpFetch({
    version: '0',
    project,
    catalogue,
    roles: async () => ['actor'],
    store: async () => store,
    now: () => new Date(),
  })
  return {
    store,
    project,
    address: new URL('http://localhost/mcp'),
    fetch: (url: URL | string, init?: RequestInit) => fetch(new Request(url, init)),
  }
}

/** A client of the given era against the HTTP handler. */
export async function overHttp(t: TestContext, era: Era): Promise<{ client: Client; store: Driver }> {
  const handler = await aHandler(t)
  return { client: await clientOf(t, era, handler), store: handler.store }
}

/** A client of the given era against a handler that is there already. */
export function clientOf(t: TestContext, era: Era, { address, fetch }: Pick<Awaited<ReturnType<typeof aHandler>>, 'address' | 'fetch'>) {
  return connected(t, era, new StreamableHTTPClientTransport(address, { fetch }))
}

/** What a client is told about a step. */
export async function ask(client: Asking, name: 'workflow_start' | 'workflow_next', args: Record<string, unknown>): Promise<NextOutput> {
  const result = await client.callTool({ name, arguments: args })
  assert.notEqual(result.isError, true, JSON.stringify(result.content))
  return NextOutput.parse(result.structuredContent)
}

interface Asking {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<{ [part: string]: unknown }>
}

/** What people type. */
export const launcher = join(import.meta.dirname, '../../bin/troupe')

/** A client of the given era against `troupe mcp` in a process of its own. */
export async function overStdio(t: TestContext, era: Era, machine: Awaited<ReturnType<typeof aMachine>>, more: ClientOptions = {}) {
  const transport = new StdioClientTransport({ command: launcher, args: ['mcp'], cwd: machine.project, env: machine.env, stderr: 'pipe' })
  return { client: await connected(t, era, transport, more), transport }
}

async function connected(
  t: TestContext,
  era: Era,
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  more: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: eras[era] }, ...more })
  await client.connect(transport)
  t.after(() => client.close())
  return client
}

/** Two steps, the second of which a person must confirm. */
export const plantedWorkflow = {
  id: 'planted',
  name: 'Planted',
  description: 'For a test.',
  version: '1.0.0',
  metaGuidance: ['Be brief.'],
  steps: [
    {
      id: 'first-step',
      title: 'First',
      prompt: 'Do the first thing.',
      agentRole: PLANTED,
      guidance: ['PLANTED hint one', 'PLANTED hint two'],
    },
    { id: 'second-step', title: 'Second', prompt: 'Do the second thing.', agentRole: PLANTED, requireConfirmation: true },
    { id: 'large-step', title: 'Large', prompt: 'Only when large.', runCondition: { var: 'size', equals: 'Large' } },
  ],
}
