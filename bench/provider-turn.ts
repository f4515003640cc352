import http from 'node:http'
import { Entry } from '../src/domain/entry.ts'
import { openProvider } from '../src/providers/open.ts'
import type { Cleanup } from '../src/sandbox/test-folder.ts'
import type { ToolSpec } from '../src/providers/provider.ts'
import { startInstantModel } from './agent/instant-model.ts'
import { eventsIn, post } from './agent/bare-exchange.ts'
import { quickest, type Bench, type Row } from './report/bench.ts'

const agent = new http.Agent({ keepAlive: true })
const system = 'You are operating in ACTOR role. '.repeat(200)
const tools: ToolSpec[] = Array.from({ length: 12 }, (_, at) => ({
  name: at === 0 ? 'read_file' : `tool_${at}`,
  description: 'Reads a file of the workspace and returns its lines with their numbers.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'], additionalProperties: false },
}))

/** One request and its streamed reply through a provider, against bare Node sending the same bytes and parsing the same events. */
export const bench: Bench = { name: 'one model request', run }

async function run(t: Cleanup): Promise<Row[]> {
  const url = await startInstantModel(t, 10_000)
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url }
  const compatible = await openProvider('own', { env, providers: { own: { kind: 'openai-compatible', base_url: `${url}/v1` } } })
  const anthropic = await openProvider('anthropic', { env })
  const { signal } = new AbortController()
  const rows: Row[] = []
  for (const turns of [1, 50, 500]) {
    const entries = aThread(turns)
    const messages = [{ role: 'system', content: system }, ...entries.map(asMessage)]
    const request = { model: 'loopback', system, entries, tools }
    const best = await quickest(200, {
      floor: () => bareNode(url, messages),
      compatible: () => compatible.ask(request, signal),
      anthropic: () => anthropic.ask(request, signal),
    })
    const after = `after ${turns} turn${turns === 1 ? '' : 's'}`
    rows.push({
      what: `a request ${after}, OpenAI-compatible`,
      unit: 'ms',
      ours: best.compatible,
      floor: best.floor,
      budget: { at_most: 2.5 },
    })
    rows.push({ what: `a request ${after}, Anthropic`, unit: 'ms', ours: best.anthropic, floor: best.floor, budget: { at_most: 3 } })
  }
  agent.destroy()
  return rows
}

function aThread(turns: number): Entry[] {
  const common = { thread_id: 't', at: '2026-01-01T00:00:00.000Z' }
  const entries: unknown[] = [{ ...common, id: 'e', number: 0, from: 'user', text: 'Go.' }]
  for (let turn = 1; turn <= turns; turn++) {
    const call = { id: `call_${turn}`, tool: 'read_file', input: { path: 'README.md' } }
    entries.push({
      ...common,
      id: `a${turn}`,
      number: turn * 2,
      from: 'assistant',
      role: 'actor',
      model: 'm',
      type: 'text',
      text: '',
      calls: [call],
      usage: {},
      took_ms: 1,
    })
    entries.push({
      ...common,
      id: `t${turn}`,
      number: turn * 2 + 1,
      from: 'tool',
      role: 'actor',
      call_id: call.id,
      tool: call.tool,
      outcome: 'ok',
      output: 'line\n'.repeat(40),
    })
  }
  return entries.map((entry) => Entry.parse(entry))
}

function asMessage(entry: Entry): object {
  if (entry.from === 'tool') return { role: 'tool', tool_call_id: entry.call_id, content: entry.output }
  if (entry.from !== 'assistant') return { role: 'user', content: entry.text }
  const calls = entry.calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.tool, arguments: JSON.stringify(call.input) },
  }))
  return { role: 'assistant', content: null, tool_calls: calls }
}

/** The floor: the same bytes, the events of the reply parsed, nothing else. */
async function bareNode(url: string, messages: object[]): Promise<unknown[]> {
  const functions = tools.map(({ input_schema, ...tool }) => ({ type: 'function', function: { ...tool, parameters: input_schema } }))
  return eventsIn(await post(url, agent, { model: 'loopback', stream: true, messages, tools: functions }))
}
