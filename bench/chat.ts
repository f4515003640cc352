import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../src/store/open.ts'
import { median, quickest, type Bench, type Row } from './report/bench.ts'
import { fillThread } from './chat/fill-thread.ts'
import { ages, SLEEP, startStampingModel, type StampingModel } from './chat/stamping-model.ts'

const MESSAGES = 1_000
const CHATS = 50
const TOKENS = 40
const PACE_MS = 50
const STOPS = 5
const UNDER_WAY_MS = 500

export const bench: Bench = {
  name: 'a long chat, and fifty that stream at once',
  run: async () => {
    const model = await startStampingModel(TOKENS, PACE_MS)
    const home = mkdtempSync(join(tmpdir(), 'troupe-bench-chat-'))
    try {
      const server = await serve(home, model)
      try {
        return [await longChat(server, home), await streaming(server, model), await stopping(server, SLEEP), await stopping(server, 'go')]
      } finally {
        server.child.kill('SIGTERM')
        await once(server.child, 'exit')
      }
    } finally {
      model.process.disconnect()
      rmSync(home, { recursive: true, force: true })
    }
  },
}

interface Server {
  child: ChildProcess
  ask: (method: string, path: string, body?: unknown) => Promise<Response>
}

async function serve(home: string, model: StampingModel): Promise<Server> {
  mkdirSync(join(home, '.config/troupe'), { recursive: true })
  writeFileSync(
    join(home, '.config/troupe/config.yaml'),
    `model: local/stamps\nproviders:\n  local:\n    kind: openai-compatible\n    base_url: ${model.url}/v1\n`,
  )
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TROUPE_HOME: join(home, 'troupe') }
  const program = join(import.meta.dirname, '../bin/troupe')
  const child = spawn(program, ['serve', '--port', '0', '--json'], { cwd: home, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, token } = JSON.parse(String(line)) as { url: string; token: string } // what `serve --json` prints
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask: Server['ask'] = (method, path, body) =>
    fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return { child, ask }
}

async function newChat({ ask }: Server): Promise<string> {
  const answer = await ask('POST', '/api/chats', { workspace: tmpdir(), agent_role: 'actor' })
  const { id } = (await answer.json()) as { id: string } // what the contract says
  return id
}

/** All messages of a chat over HTTP, parsed, as a page would open them. */
async function longChat(server: Server, home: string): Promise<Row> {
  const id = await newChat(server)
  const driver = await openStore(`sqlite:${join(home, 'troupe/troupe.db')}`)
  await fillThread(driver, id, MESSAGES, (number) => `Message ${number}: ${'some words about a program and its tests. '.repeat(8)}`)
  await driver.close()
  const { opened } = await quickest(10, {
    opened: async () => {
      const { messages } = (await (await server.ask('GET', `/api/chats/${id}?limit=${MESSAGES}`)).json()) as { messages: unknown[] }
      if (messages.length !== MESSAGES) throw new Error(`${messages.length} of ${MESSAGES} messages came`)
    },
  })
  return { what: `open a chat of ${MESSAGES} messages over HTTP`, unit: 'ms', ours: opened, budget: { at_most: 150 } }
}

/** What we add between a token on the model's wire and the same token on the wire to the page, fifty chats at once. */
async function streaming(server: Server, model: StampingModel): Promise<Row> {
  const bare = (await Promise.all(Array.from({ length: CHATS }, () => agesOf(fetch(`${model.url}/v1`, { method: 'POST' }), TOKENS)))).flat()
  const ids = await Promise.all(Array.from({ length: CHATS }, () => newChat(server)))
  const heard = agesOf(server.ask('GET', '/api/events'), CHATS * TOKENS)
  await Promise.all(ids.map((id) => server.ask('POST', `/api/chats/${id}/messages`, { text: 'go' })))
  const added = median(await heard) - median(bare)
  return { what: `added to each token, ${CHATS} chats streaming at once`, unit: 'ms', ours: added, budget: { at_most: 10 } }
}

/** From the press of Stop to the moment when nothing of the turn runs any more: a command, or a reply that is still coming. */
async function stopping(server: Server, request: string): Promise<Row> {
  const took: number[] = []
  for (let round = 0; round < STOPS; round++) {
    const id = await newChat(server)
    await server.ask('POST', `/api/chats/${id}/messages`, { text: request })
    await sleep(UNDER_WAY_MS)
    const pressed = performance.now()
    const { stopped } = (await (await server.ask('POST', `/api/chats/${id}/stop`)).json()) as { stopped: boolean } // what the contract says
    if (!stopped) throw new Error('the turn was over before it was stopped')
    took.push(performance.now() - pressed)
  }
  const what = `stop ${request === SLEEP ? 'a running command' : 'a reply that is still coming'}`
  return { what, unit: 'ms', ours: median(took), budget: { at_most: 1_000 } }
}

/** The age of each token as it comes out of a stream, until that many have come. */
async function agesOf(asked: Promise<Response>, wanted: number): Promise<number[]> {
  const found: number[] = []
  const { body } = await asked
  if (body === null) throw new Error('the stream has no body')
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.includes('"content"') || line.includes('"from"')) found.push(...ages(line))
    if (found.length >= wanted) break
  }
  return found
}
