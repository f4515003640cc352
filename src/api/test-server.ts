import { rm } from 'node:fs/promises'
import { request, type IncomingHttpHeaders } from 'node:http'
import { text as readAll } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { plainGround, testAgent } from '../agent/test-agent.ts'
import { stopPlaying } from '../agent/run/background.ts'
import { openChatContext } from '../chat/context.ts'
import { openTeamPlays } from '../board/team/background.ts'
import { testStation, type Cast } from '../board/team/test-team.ts'
import { openTestStore } from '../store/test-store.ts'
import { openCatalogue, workflowFolders } from '../workflows/files/catalogue.ts'
import { openPlayContext } from '../workflows/play/context.ts'
import { createLive } from './live.ts'
import { listen } from './listen.ts'
import { createApp, type AppOptions } from './server.ts'
import type { ServerContext } from './services.ts'

export const TEST_TOKEN = 'a-token-of-the-length-that-tokens-really-have'

/** What the scripted model answers in place of a real one. */
export type Replies = Parameters<typeof testAgent>[1]

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface AskOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Left out: the right token. */
  token?: string | null
}

export type TestServer = Awaited<ReturnType<typeof serveForTest>>

/** A server of ours on a free port, with the given page, and a caller that sends exactly what it is told. It ends with the test. */
export async function serveForTest(
  t: TestContext,
  more: Partial<AppOptions> & { requestMs?: number; replies?: Replies; cast?: Cast } = {},
) {
  const driver = await openTestStore(t)
  const stopping = new AbortController()
  const services = await testServices(t, driver, more.replies ?? [], more.cast ?? {})
  const app = createApp({
    token: TEST_TOKEN,
    host: '127.0.0.1',
    bodyBytes: 1_000,
    services,
    page: new Map(),
    stopping: stopping.signal,
    ...more,
  })
  const { port, close } = await listen(app, { host: '127.0.0.1', port: 0, requestMs: more.requestMs })
  const stop = async () => {
    stopping.abort()
    await close()
  }
  t.after(stop)
  return { port, services, close: stop, ask: ask.bind(null, port), send: send.bind(null, port) }
}

async function testServices(t: TestContext, driver: ServerContext['driver'], replies: Replies, cast: Cast): Promise<ServerContext> {
  const live = createLive()
  const { agent, workspace } = await testAgent(t, replies, { driver, onEvent: live.watch })
  const ground = plainGround(agent, { modelFor: () => 'scripted/test' })
  const context = openChatContext(ground)
  const plays = openPlayContext(ground)
  const jobs = { ...ground, jobsDir: `${workspace}-jobs`, playing: new Map() }
  const teams = openTeamPlays((place, _members, { budgets }, say) =>
    testStation(t, { ...place, sandbox: agent.sandbox, commands: agent.commands }, cast, { budgets, say }),
  )
  t.after(async () => {
    for (const { playing } of [context, plays, jobs, teams]) await stopPlaying(playing)
    await rm(`${workspace}-jobs`, { recursive: true, force: true })
  })
  return {
    version: '1.2.3',
    driver,
    workspace,
    model: 'rehearsal',
    live,
    context,
    catalogue: openCatalogue(workflowFolders(workspace, { HOME: workspace })),
    plays,
    jobs,
    teams,
  }
}

/** Sends JSON as the page does, and reads the JSON that comes back. */
async function send(port: number, method: 'GET' | 'POST', path: string, body?: unknown) {
  const given = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const { status, text } = await ask(port, path, { method, ...given })
  return { status, text, body: JSON.parse(text) }
}

/** By hand, because fetch tidies the path and writes Host and Origin itself. */
function ask(port: number, path: string, { method = 'GET', headers = {}, body, token = TEST_TOKEN }: AskOptions = {}): Promise<Answer> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { ...authorization, ...headers } }, (response) => {
      const { statusCode: status = 0, headers: told } = response
      readAll(response).then((text) => resolve({ status, headers: told, text }), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
