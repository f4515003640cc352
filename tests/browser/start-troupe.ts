import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Page } from 'playwright-core'
import type { ChatView } from '../../src/api/contract/chat.ts'
import type { Cleanup } from '../../src/sandbox/test-folder.ts'
import { until } from '../../src/sandbox/test-until.ts'
import type { StepInput } from '../../src/providers/script.ts'
import type { Driver } from '../../src/store/driver.ts'
import { openStore } from '../../src/store/open.ts'
import { startModelServer, type ModelServer, type ModelServerOptions, type SeenRequest } from '../model-server.ts'

/** What a test wants a page to be like; left out, a desk in daylight. */
export interface Look {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
}

/** Troupe as a person has it: the real server in a process of its own, a model behind HTTP, a folder, and browsers. */
export interface Troupe {
  model: ModelServer
  home: string
  workspace: string
  write: (path: string, text: string) => Promise<void>
  open: (path?: string, look?: Look) => Promise<Page>
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>
  newChat: (agent_role: string, text?: string) => Promise<ChatView>
  /** Says things in a chat one after the other, each once the turn before it is over. */
  converse: (chatId: string, texts: readonly string[]) => Promise<void>
  /** The store of the server, from another process; closed with the test. */
  openStore: () => Promise<Driver>
  /** Ends the server as a crash would, unless told otherwise. */
  kill: (signal?: NodeJS.Signals) => Promise<void>
  /** Starts it again on the same home, port and token. */
  start: () => Promise<void>
}

/** What the model behind HTTP says. */
export type Replies = readonly StepInput<SeenRequest>[]

interface Serving {
  child: ChildProcess
  port: number
  token: string
}

/** Starts Troupe on an empty home with a model that plays the script; without a script no model is configured. All of it ends with the test. */
export async function startTroupe(
  t: Cleanup,
  replies: Replies | null,
  openBrowser: () => Promise<Browser>,
  pace: Pick<ModelServerOptions, 'pace_ms'> = {},
): Promise<Troupe> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'troupe-home-')))
  const workspace = join(home, 'project')
  await mkdir(workspace)
  await mkdir(join(home, 'tmp'))
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  const model = await startModelServer({ ...pace, ...(replies !== null && { replies }) })
  if (replies !== null) await write('.config/troupe/config.yaml', configFor(model.url))
  let serving = await serve(home, workspace, 0)
  t.after(async () => {
    await end(serving.child, 'SIGKILL')
    await model.close()
    await rm(home, { recursive: true, force: true })
  })
  const ask: Troupe['ask'] = (method, path, body) => askServer(serving, method, path, body)
  return {
    model,
    home,
    workspace,
    write,
    ask,
    open: async (path = '/', look = {}) => openPage(t, await openBrowser(), serving, path, look),
    newChat: async (agent_role, text) => {
      const chat = (await ask('POST', '/api/chats', { workspace, agent_role })) as ChatView // what the contract says
      if (text !== undefined) await ask('POST', `/api/chats/${chat.id}/messages`, { text })
      return chat
    },
    converse: (chatId, texts) => converse(ask, chatId, texts),
    openStore: async () => {
      const driver = await openStore(`sqlite:${join(home, 'troupe/troupe.db')}`)
      t.after(() => driver.close())
      return driver
    },
    kill: (signal = 'SIGKILL') => end(serving.child, signal),
    start: async () => {
      serving = await serve(home, workspace, serving.port)
    },
  }
}

async function converse(ask: Troupe['ask'], chatId: string, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await ask('POST', `/api/chats/${chatId}/messages`, { text })
    await until(async () => !((await ask('GET', `/api/chats/${chatId}?limit=1`)) as ChatView).running) // what the contract says
  }
}

function configFor(url: string): string {
  return `model: local/scripted\nproviders:\n  local:\n    kind: openai-compatible\n    base_url: ${url}/v1\n`
}

async function serve(home: string, cwd: string, port: number): Promise<Serving> {
  const program = join(import.meta.dirname, '../../bin/troupe')
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: join(home, 'tmp'), TROUPE_HOME: join(home, 'troupe') }
  const child = spawn(program, ['serve', '--port', String(port), '--json'], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, ...JSON.parse(String(line)) }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function openPage(t: Cleanup, browser: Browser, { port, token }: Serving, path: string, look: Look): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1280, height: look.height ?? 800 },
    colorScheme: look.theme ?? 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  t.after(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(240_000) // a machine under load is slow, not broken
  await page.goto(`http://127.0.0.1:${port}${path}#token=${token}`)
  return page
}

async function askServer({ port, token }: Serving, method: string, path: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${JSON.stringify(answer)}`)
  return answer
}
