import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import type { TestContext } from 'node:test'
import { plainGround, testAgent } from '../agent/test-agent.ts'
import { stopPlaying } from '../agent/background.ts'
import { openStage } from '../chat/stage.ts'
import { openJobPlays } from '../jobs/background.ts'
import { openTeamPlays } from '../board/team/background.ts'
import { testStation, type Cast } from '../board/team/test-team.ts'
import { openTestStore } from '../store/test-store.ts'
import type { Handlers } from './dispatch.ts'
import { openCatalogue, workflowFolders } from '../workflows/catalogue.ts'
import { openPlayStage } from '../workflows/play-stage.ts'
import { createLive } from './live.ts'
import { listen } from './listen.ts'
import type { Method, RouteName } from './routes.ts'
import { createApp, type AppOptions } from './server.ts'
import type { Services } from './services.ts'

export const TEST_TOKEN = 'a-token-of-the-length-that-tokens-really-have'

/** What the scripted model answers in place of a real one. */
type Replies = Parameters<typeof testAgent>[1]

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** A server of ours on a free port, for tests, and a caller that sends exactly what it is told. */
export interface TestServer {
  port: number
  services: Services
  close: () => Promise<void>
  ask: (path: string, options?: AskOptions) => Promise<Answer>
  /** Sends JSON as the page does, and reads the JSON that comes back. */
  send: (method: Method, path: string, body?: unknown) => ReturnType<typeof send>
}

export interface AskOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Left out: the right token. */
  token?: string | null
}

/** Starts it with the given handlers and page; it ends with the test. */
export async function serveForTest(
  t: TestContext,
  more: Partial<AppOptions> & { handlers?: Partial<Handlers<RouteName>>; requestMs?: number; replies?: Replies; cast?: Cast } = {},
): Promise<TestServer> {
  const driver = await openTestStore(t)
  const stopping = new AbortController()
  const services = await testServices(t, driver, more.replies ?? [], more.cast ?? {})
  const app = createApp({
    token: TEST_TOKEN,
    host: '127.0.0.1',
    bodyBytes: 1_000,
    services,
    handlers: {},
    page: new Map(),
    stopping: stopping.signal,
    ...more,
  })
  const { port, close } = await listen(app, { host: '127.0.0.1', port: 0, ...(more.requestMs ? { requestMs: more.requestMs } : {}) })
  const stop = async () => {
    stopping.abort()
    await close()
  }
  t.after(stop)
  return { port, services, close: stop, ask: (path, options) => ask(port, path, options), send: (...what) => send(port, ...what) }
}

async function testServices(t: TestContext, driver: Services['driver'], replies: Replies, cast: Cast): Promise<Services> {
  const live = createLive()
  const { agent, workspace } = await testAgent(t, replies, { driver, onEvent: live.watch })
  const ground = plainGround(agent, { modelFor: () => 'scripted/test' })
  const stage = openStage(ground)
  t.after(() => stopPlaying(stage.playing))
  const plays = openPlayStage(ground)
  t.after(() => stopPlaying(plays.playing))
  const jobs = openJobPlays({ ...ground, jobsDir: `${workspace}-jobs` })
  t.after(() => stopPlaying(jobs.playing))
  const teams = openTeamPlays((place, _members, budgets, say) =>
    testStation(t, { ...place, sandbox: agent.sandbox, network: false, unsandboxed: false }, cast, { budgets, say }),
  )
  t.after(() => stopPlaying(teams.playing))
  t.after(() => rm(`${workspace}-jobs`, { recursive: true, force: true }))
  return {
    version: '1.2.3',
    driver,
    workspace,
    model: 'rehearsal',
    live,
    stage,
    catalogue: openCatalogue(workflowFolders(workspace, { HOME: workspace })),
    plays,
    jobs,
    teams,
  }
}

async function send(port: number, method: Method, path: string, body?: unknown) {
  const given = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const { status, text } = await ask(port, path, { method, ...given })
  return { status, text, body: JSON.parse(text) }
}

/** By hand, because fetch tidies the path and writes Host and Origin itself. */
function ask(port: number, path: string, { method = 'GET', headers = {}, body, token = TEST_TOKEN }: AskOptions = {}): Promise<Answer> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { ...authorization, ...headers } }, (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
