import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { ChatView } from '../../src/chat/show.ts'
import type { Chat } from '../../src/domain/chat.ts'
import { anAccount, type Account } from '../../src/cli/test-account.ts'
import { end, serving } from '../../src/cli/test-serving.ts'
import type { Cleanup } from '../../src/sandbox/test-folder.ts'
import { until } from '../../src/sandbox/test-until.ts'
import type { StepInput } from '../../src/providers/script/script.ts'
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
  write: Account['write']
  open: (path: string, look?: Look) => Promise<Page>
  ask: (method: string, path: string, body?: object) => Promise<unknown>
  newChat: (agent_role: string, text?: string) => Promise<Chat>
  /** The page of a new chat, in which this was said. */
  openChat: (agent_role: string, text?: string) => Promise<Page>
  /** Says so many things in a chat, Message 0 first, each once the turn before it is over. */
  converse: (chatId: string, times: number) => Promise<void>
  /** The store of the server, from another process; closed with the test. */
  openStore: () => Promise<Driver>
  /** Ends the server as a crash would. */
  kill: () => Promise<void>
  /** Starts it again on the same home, port and token. */
  start: () => Promise<void>
}

/** What the model behind HTTP says. */
export type Replies = readonly StepInput<SeenRequest>[]

type Serving = Awaited<ReturnType<typeof serving>>

/** Starts Troupe on an empty home with a model that plays the script; without a script no model is configured. All of it ends with the test. */
export async function startTroupe(
  t: Cleanup,
  replies: Replies | null,
  openBrowser: () => Promise<Browser>,
  pace: Pick<ModelServerOptions, 'pace_ms'> = {},
): Promise<Troupe> {
  const model = await startModelServer({ ...pace, ...(replies !== null && { replies }) })
  const started: Serving[] = []
  t.after(async () => {
    for (const { child } of started) await end(child) // before its home is removed: it would go on writing there
    await model.close()
  })
  const account = await anAccount(t)
  const { home, project: workspace, write } = account
  await mkdir(join(home, 'tmp'))
  const place = { project: workspace, env: { ...account.env, TMPDIR: join(home, 'tmp'), TROUPE_HOME: join(home, 'troupe') } }
  if (replies !== null) await write('troupe/config.yaml', configFor(model.url))
  const serve = async (port = 0) => {
    const server = await serving(t, place, port)
    started.push(server)
    return server
  }
  let server = await serve()
  const ask: Troupe['ask'] = (method, path, body) => askServer(server, method, path, body)
  const open: Troupe['open'] = async (path, look = {}) => openPage(t, await openBrowser(), server, path, look)
  const newChat: Troupe['newChat'] = (agent_role, text) => beginChat(ask, { workspace, agent_role }, text)
  return {
    model,
    home,
    workspace,
    write,
    ask,
    open,
    newChat,
    openChat: async (agent_role, text) => open(`/chat/${(await newChat(agent_role, text)).id}`),
    converse: (chatId, times) => converse(ask, chatId, times),
    openStore: async () => {
      const driver = await openStore(`sqlite:${join(home, 'troupe/troupe.db')}`)
      t.after(() => driver.close())
      return driver
    },
    kill: () => end(server.child),
    start: async () => {
      server = await serve(Number(server.url.port))
    },
  }
}

async function beginChat(ask: Troupe['ask'], request: object, text?: string): Promise<Chat> {
  const chat = (await ask('POST', '/api/chat/create', request)) as Chat // what the contract says
  if (text !== undefined) await ask('POST', '/api/chat/send_message', { chat: chat.id, text })
  return chat
}

async function converse(ask: Troupe['ask'], chatId: string, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    await ask('POST', '/api/chat/send_message', { chat: chatId, text: `Message ${at}` })
    await until(async () => !((await ask('GET', `/api/chat/show?chat=${chatId}&limit=1`)) as ChatView).running) // what the contract says
  }
}

function configFor(url: string): string {
  return `model: local/scripted\nproviders:\n  local:\n    kind: openai-compatible\n    base_url: ${url}/v1\n    takes: [image, pdf]\n`
}

async function openPage(t: Cleanup, browser: Browser, { url, token }: Serving, path: string, look: Look): Promise<Page> {
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
  await page.goto(new URL(`${path}#token=${token}`, url).href)
  return page
}

async function askServer(server: Serving, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await server.ask(method, path, body)
  if ('error' in answer) throw new Error(`${method} ${path} was refused: ${JSON.stringify(answer)}`)
  return answer
}
