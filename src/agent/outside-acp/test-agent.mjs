// An agent that does what a test says: node test-agent.mjs '{"prompts":[[{"say":"Hello"}]]}'. It speaks by hand, so that it can also speak wrongly.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const told = JSON.parse(process.argv[2] ?? '{}')
const log = (from, line) => told.log && appendFileSync(told.log, `${from} ${line}\n`)
const say = (message) => {
  const line = JSON.stringify({ jsonrpc: '2.0', ...message })
  log('agent', line)
  process.stdout.write(`${line}\n`)
}
const update = (fields) => say({ method: 'session/update', params: { sessionId: 's1', update: fields } })
const words = (sessionUpdate, text) => update({ sessionUpdate, content: { type: 'text', text } })
const waiting = new Map()
let [asked, prompts, cancelled, mode] = [0, 0, false, 'default']

function request(method, params) {
  const id = `a${++asked}`
  say({ id, method, params: { sessionId: 's1', ...params } })
  return new Promise((resolve) => waiting.set(id, resolve))
}

const call = (id, fields) => update({ sessionUpdate: 'tool_call', toolCallId: id, title: id, status: 'in_progress', ...fields })
const ended = (id, status, content) => update({ sessionUpdate: 'tool_call_update', toolCallId: id, status, content })
const textOf = (text) => [{ type: 'content', content: { type: 'text', text } }]

const steps = {
  say: (text) => words('agent_message_chunk', text),
  think: (text) => words('agent_thought_chunk', text),
  prompt: (_, { prompt }) => words('agent_message_chunk', `<<${prompt}>>`),
  pid: () => words('agent_message_chunk', `pid ${process.pid} prompt ${prompts} mode ${mode}`),
  plan: (entries) => update({ sessionUpdate: 'plan', entries }),
  usage: (usage) => update({ sessionUpdate: 'usage_update', ...usage }),
  async write({ path, text }) {
    const old = existsSync(path) ? readFileSync(path, 'utf8') : null
    call(`write ${path}`, { kind: 'edit', locations: [{ path }], rawInput: { path } })
    try {
      writeFileSync(path, text)
      ended(`write ${path}`, 'completed', [{ type: 'diff', path, oldText: old, newText: text }])
    } catch (error) {
      ended(`write ${path}`, 'failed', textOf(String(error)))
    }
  },
  async remove(path) {
    const toolCall = { toolCallId: `remove ${path}`, title: `Delete ${path}`, kind: 'delete', locations: [{ path }] }
    const { outcome } = await request('session/request_permission', { toolCall, options: told.options ?? options })
    if (outcome.optionId === 'once') rmSync(path)
    words('agent_message_chunk', `chose ${outcome.optionId ?? outcome.outcome}`)
  },
  async leave(toolCall) {
    const { outcome } = await request('session/request_permission', {
      toolCall: { toolCallId: 'leave', ...toolCall },
      options: told.options ?? options,
    })
    words('agent_message_chunk', `chose ${outcome.optionId ?? outcome.outcome};`)
  },
  async form(params) {
    words('agent_message_chunk', JSON.stringify(await request('elicitation/create', { mode: 'form', ...params })))
  },
  call: ({ id, ...fields }) => call(id, fields),
  hang: () => new Promise(() => undefined),
  stubborn: () => new Promise((resolve) => setInterval(() => cancelled && !told.deaf && resolve(), 5)),
  exit: (code) => process.exit(code),
  flood: (count) => Array.from({ length: count }, () => words('agent_thought_chunk', 'x')),
  long: (bytes) => words('agent_message_chunk', 'x'.repeat(bytes)),
  garbage: (text) => process.stdout.write(`${text}\n`),
  child: () => spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref(),
  unknown: async () => words('agent_message_chunk', JSON.stringify(await request('_vendor/unknown', {}))),
  files: async () => words('agent_message_chunk', JSON.stringify(await request('fs/write_text_file', { path: '/tmp/x', content: 'x' }))),
  setMode: (id) => update({ sessionUpdate: 'current_mode_update', currentModeId: id }),
}

const options = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

const methods = {
  initialize: async () => ({ protocolVersion: told.version ?? 1, agentCapabilities: {}, agentInfo: { name: 'test', version: '1' } }),
  'session/new': async () => ({
    sessionId: 's1',
    modes: { currentModeId: mode, availableModes: ['default', 'plan', 'acceptEdits', 'yolo'].map((id) => ({ id, name: id })) },
  }),
  'session/set_mode': async ({ modeId }) => {
    mode = modeId
    return {}
  },
  'session/prompt': async ({ prompt }) => {
    cancelled = false
    const list = told.prompts?.[Math.min(prompts++, told.prompts.length - 1)] ?? []
    for (const step of list) {
      const [[name, value]] = Object.entries(step)
      await steps[name](value, { prompt: prompt.map(({ text }) => text).join('') })
    }
    if (told.error) throw told.error
    return { stopReason: cancelled ? 'cancelled' : (told.stop ?? 'end_turn') }
  },
}

if (told.mute) setInterval(() => undefined, 1_000)
else createInterface({ input: process.stdin }).on('line', (line) => void hear(line))

async function hear(line) {
  log('troupe', line)
  const { id, method, params, result, error } = JSON.parse(line)
  if (method === 'session/cancel') cancelled = true
  if (method === undefined) return waiting.get(id)?.(result ?? { error })
  if (id === undefined) return
  try {
    if (methods[method] === undefined) return say({ id, error: { code: -32601, message: 'no such method' } })
    if (told.login && method === 'session/new') return say({ id, error: { code: -32000, message: 'Authentication required' } })
    say({ id, result: await methods[method](params) })
  } catch (failed) {
    say({ id, error: failed.code ? failed : { code: -32603, message: String(failed) } })
  }
}
