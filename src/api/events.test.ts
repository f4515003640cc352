import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each, rowsOf } from '../domain/test-each.ts'
import { log } from '../store/log.ts'
import { serveForTest, TEST_TOKEN, type TestServer } from './test-server.ts'

test('[C36] a reader that leaves and comes back with the last number gets every line once, in order', async (t) => {
  const server = await serveForTest(t)
  await append(server, 1, 30)

  const first = await read(server, { after: 0, until: (seen) => seen.length === 10 })
  await append(server, 31, 60)
  const last = first.at(-1)?.id ?? ''
  const second = await read(server, { lastEventId: last, until: (seen) => seen.at(-1)?.id === '60' })

  const numbers = [...first, ...second].filter(({ event }) => event === 'log').map(({ id }) => Number(id))
  assert.deepEqual(
    numbers.filter((number) => number > 0),
    Array.from({ length: 60 }, (_, at) => at + 1),
  )
})

test('[C36] a line appended while a reader waits reaches it', async (t) => {
  const server = await serveForTest(t)
  await append(server, 1, 3)

  const seen = read(server, { until: (events) => events.some(({ event }) => event === 'log'), onReady: () => append(server, 4, 4) })

  const lines = (await seen).filter(({ event }) => event === 'log').map(({ data }) => JSON.parse(data))
  assert.deepEqual(rowsOf(lines, 'seq', 'topic', 'subject'), [[4, 'test', 'line-4']])
})

test('[C36] what is being said is passed on at once and has no number', async (t) => {
  const server = await serveForTest(t)

  const seen = await read(server, {
    until: (events) => events.some(({ event }) => event === 'live'),
    onReady: async () => server.services.live.watch({ type: 'delta', thread_id: 't1', run_id: 'r1', text: 'Hel' }),
  })

  assert.deepEqual(
    seen.find(({ event }) => event === 'live'),
    { event: 'live', id: '', data: '{"thread_id":"t1","run_id":"r1","call_id":null,"text":"Hel","from":0}' },
  )
})

test('[C36] a starting point that is no number is refused', async (t) => {
  const server = await serveForTest(t)

  const answers = await Promise.all(['-1', 'x', '1e3', ''].map((after) => server.ask(`/api/events?after=${after}`)))

  assert.deepEqual(each(answers, 'status'), [400, 400, 400, 400])
})

test('[C49] a reader that stops reading is let go before much is kept for it; one that reads on gets everything', async (t) => {
  const server = await serveForTest(t)
  const piece = 'x'.repeat(100_000)
  const headers = { authorization: `Bearer ${TEST_TOKEN}` }
  const stuck = await fetch(`http://127.0.0.1:${server.port}/api/events`, { headers })
  const readsOn = read(server, { until: (seen) => seen.at(-1)?.data.includes('the end') === true, onReady: speak })

  async function speak(): Promise<void> {
    for (let said = 0; said < 1_000; said++) {
      server.services.live.watch({
        type: 'tool_output',
        thread_id: 't1',
        run_id: 'r1',
        call_id: 'c1',
        text: said === 999 ? 'the end' : piece,
      })
      await new Promise((resolve) => setTimeout(resolve))
    }
  }

  const seen = await readsOn
  let kept = 0
  for await (const chunk of stuck.body ?? []) {
    kept += chunk.length
    if (kept > 50_000_000) break // of 100 million
  }

  assert.equal(seen.filter(({ event }) => event === 'live').length, 1_000)
  assert.ok(kept < 50_000_000, `${kept} characters were kept for it`)
})

test('[C37] stopping ends open streams instead of waiting for their readers', async (t) => {
  const server = await serveForTest(t)
  const reading = read(server, { until: () => false, onReady: () => server.close() })

  const seen = await reading

  assert.deepEqual(each(seen, 'event'), ['ready'])
})

interface Seen {
  event: string
  id: string
  data: string
}

async function append({ services: { driver } }: TestServer, from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at++) await log.append(driver, { topic: 'test', subject: `line-${at}`, data: { at } })
}

interface Reading {
  after?: number
  lastEventId?: string
  until: (seen: Seen[]) => boolean
  onReady?: () => Promise<void>
}

/** Reads events until enough were seen or the server ends the stream, then leaves. */
async function read({ port }: TestServer, { after, lastEventId, until, onReady }: Reading): Promise<Seen[]> {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${TEST_TOKEN}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }
  const response = await fetch(`http://127.0.0.1:${port}/api/events${after === undefined ? '' : `?after=${after}`}`, {
    headers,
    signal: leaving.signal,
  })
  const seen: Seen[] = []
  let pending = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    pending += chunk
    const blocks = pending.split('\n\n')
    pending = blocks.pop() ?? ''
    for (const block of blocks) {
      if (until(seen)) break
      seen.push(parsed(block))
      if (seen.length === 1) void onReady?.()
    }
    if (until(seen)) break
  }
  leaving.abort()
  return seen
}

function parsed(block: string): Seen {
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(block)?.[1]?.trim() ?? ''
  return { event: field('event'), id: field('id'), data: field('data') }
}
