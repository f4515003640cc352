import { request } from 'node:http'
import type { TestContext } from 'node:test'
import { openTestStore } from '../store/open-test-store.ts'
import type { Driver } from '../store/driver.ts'
import type { Handlers } from './dispatch.ts'
import { listen } from './listen.ts'
import type { RouteName } from './routes.ts'
import { createApp, type AppOptions } from './server.ts'
import type { LiveDelta } from './services.ts'

export const TEST_TOKEN = 'a-token-of-the-length-that-tokens-really-have'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** A server of ours on a free port, for tests, and a caller that sends exactly what it is told. */
export interface TestServer {
  port: number
  driver: Driver
  say: (delta: LiveDelta) => void
  close: () => Promise<void>
  ask: (path: string, options?: AskOptions) => Promise<Answer>
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
  more: Partial<AppOptions> & { handlers?: Partial<Handlers<RouteName>>; requestMs?: number } = {},
): Promise<TestServer> {
  const driver = await openTestStore(t)
  const stopping = new AbortController()
  const listeners = new Set<(delta: LiveDelta) => void>()
  const onLive = (listener: (delta: LiveDelta) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const app = createApp({
    token: TEST_TOKEN,
    host: '127.0.0.1',
    bodyBytes: 1_000,
    services: { version: '1.2.3', driver, onLive },
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
  const say = (delta: LiveDelta) => listeners.forEach((listener) => listener(delta))
  return { port, driver, say, close: stop, ask: (path, options) => ask(port, path, options) }
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
