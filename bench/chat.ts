import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { anAccount, type Account } from '../src/cli/test-account.ts'
import { serving } from '../src/cli/test-serving.ts'
import { inStore } from '../src/store/test-store.ts'
import { median, quickest, type Bench, type Row } from './report/bench.ts'
import { fillThread } from './chat/fill-thread.ts'
import { ages, SLEEP, startStampingModel } from './chat/stamping-model.ts'

const MESSAGES = 1_000
const CHATS = 50
const TOKENS = 40
const PACE_MS = 50
const STOPS = 5
const UNDER_WAY_MS = 500

export const bench: Bench = {
  name: 'a long chat, and fifty that stream at once',
  run: async (t) => {
    const model = await startStampingModel(t, TOKENS, PACE_MS)
    const account = await anAccount(t)
    const providers = { local: { kind: 'openai-compatible', base_url: `${model}/v1` } }
    await account.write('.config/troupe/config.yaml', JSON.stringify({ model: 'local/stamps', providers }))
    const server = await serving(t, account)
    return [await longChat(server, account), await streaming(server, model), await stopping(server, SLEEP), await stopping(server, 'go')]
  },
}

type Server = Awaited<ReturnType<typeof serving>>

async function newChat({ ask }: Server): Promise<string> {
  const { id } = await ask('POST', '/api/chat/create', { workspace: tmpdir(), agent_role: 'actor' })
  return id
}

/** All messages of a chat over HTTP, parsed, as a page would open them. */
async function longChat(server: Server, { store }: Account): Promise<Row> {
  const id = await newChat(server)
  const words = 'some words about a program and its tests. '.repeat(8)
  await inStore(store, (driver) => fillThread(driver, id, MESSAGES, (number) => `Message ${number}: ${words}`))
  const { opened } = await quickest(10, {
    opened: async () => {
      const { messages } = await server.ask('GET', `/api/chat/show?chat=${id}&limit=${MESSAGES}`)
      if (messages.length !== MESSAGES) throw new Error(`${messages.length} of ${MESSAGES} messages came`)
    },
  })
  return { what: `open a chat of ${MESSAGES} messages over HTTP`, unit: 'ms', ours: opened, budget: { at_most: 150 } }
}

/** What we add between a token on the model's wire and the same token on the wire to the page, fifty chats at once. */
async function streaming(server: Server, model: string): Promise<Row> {
  const bare = (await Promise.all(Array.from({ length: CHATS }, () => agesOf(fetch(`${model}/v1`, { method: 'POST' }), TOKENS)))).flat()
  const ids = await Promise.all(Array.from({ length: CHATS }, () => newChat(server)))
  const headers = { authorization: `Bearer ${server.token}` }
  const heard = agesOf(fetch(new URL('/api/events', server.url), { headers }), CHATS * TOKENS)
  await Promise.all(ids.map((id) => server.ask('POST', '/api/chat/send_message', { chat: id, text: 'go' })))
  const added = median(await heard) - median(bare)
  return { what: `added to each token, ${CHATS} chats streaming at once`, unit: 'ms', ours: added, budget: { at_most: 10 } }
}

/** From the press of Stop to the moment when nothing of the turn runs any more: a command, or a reply that is still coming. */
async function stopping(server: Server, request: string): Promise<Row> {
  const took: number[] = []
  for (let round = 0; round < STOPS; round++) {
    const id = await newChat(server)
    await server.ask('POST', '/api/chat/send_message', { chat: id, text: request })
    await sleep(UNDER_WAY_MS)
    const pressed = performance.now()
    const { stopped } = await server.ask('POST', '/api/chat/stop', { chat: id })
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
