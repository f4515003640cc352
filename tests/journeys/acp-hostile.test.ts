import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { anAccount, launcher, type Account } from '../../src/cli/test-account.ts'
import { until } from '../../src/sandbox/test-until.ts'

const initialize = { id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } }

test('[E9] a request before the handshake is refused, and an unknown version is answered with ours', async (t) => {
  const { ask } = await rawEditor(t)

  const early = await ask({ id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } })
  const far = await ask({ ...initialize, id: 2, params: { protocolVersion: 65_535 } })

  assert.deepEqual([early.error?.code, far.result?.protocolVersion], [-32_600, 1])
  assert.equal(far.result?.authMethods?.length, 1)
})

test('[E9] what does not fit is answered with an error, and the next request is answered as ever', async (t) => {
  const { ask, write } = await rawEditor(t)
  await ask(initialize)

  write('this is not JSON\n')
  const answers = [
    await ask({ id: 1, method: 'session/new', params: { mcpServers: [] } }),
    await ask({ id: 2, method: 'session/new', params: { cwd: 'relative', mcpServers: [] } }),
    await ask({ id: 3, method: 'session/prompt', params: { sessionId: 'chat_none', prompt: [{ type: 'text', text: 'x' }] } }),
    await ask({ id: 4, method: '_unknown/thing', params: {} }),
    await ask({ id: 5, method: 'session/list', params: { cursor: 'nonsense' } }),
    await ask({ id: 6, method: 'session/load', params: { sessionId: '../x', cwd: '/', mcpServers: [] } }),
    await ask({ id: 7, method: 'authenticate', params: { methodId: 'other' } }),
  ]
  write(`${JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'chat_none' } })}\n`)
  const list = await ask({ id: 8, method: 'session/list', params: {} })

  assert.deepEqual(
    answers.map(({ error }) => error?.code),
    [-32_602, -32_602, -32_002, -32_601, -32_602, -32_002, -32_602],
  )
  assert.deepEqual(list.result?.sessions, [])
})

test('[E9] a prompt of 50 MB is refused by its size, and the session goes on', async (t) => {
  const { ask, account } = await rawEditor(t)
  await ask(initialize)
  const { result } = await ask({ id: 1, method: 'session/new', params: { cwd: account.project, mcpServers: [] } })
  const prompt = (id: number, text: string) =>
    ask({ id, method: 'session/prompt', params: { sessionId: result?.sessionId, prompt: [{ type: 'text', text }] } })

  const huge = await prompt(2, 'x'.repeat(50_000_000))
  const small = await prompt(3, 'hello')

  assert.deepEqual([huge.error?.code, huge.error?.data?.code, small.result?.stopReason], [-32_602, 'too_large', 'end_turn'])
})

test('[E10] an editor that closes in the middle of a command leaves no process, and the chat can be continued', async (t) => {
  const replies = [{ calls: [{ tool: 'execute_command', input: { command: 'touch begun; exec sleep 86411' } }] }, { text: 'Continued.' }]
  const { ask, account, process } = await rawEditor(t, { args: ['--role', 'actor'], replies })
  await ask(initialize)
  const { result } = await ask({ id: 1, method: 'session/new', params: { cwd: account.project, mcpServers: [] } })
  const sessionId = result?.sessionId
  process.stdin.write(frame({ id: 2, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text: 'wait' }] } }))
  await until(() => existsSync(join(account.project, 'begun')))

  process.stdin.end()
  const [code] = await once(process, 'exit')

  assert.equal(code, 0)
  await until(async () => !(await isRunning('86411')))
  const second = await rawEditor(t, { account })
  await second.ask(initialize)
  await second.ask({ id: 1, method: 'session/resume', params: { sessionId, cwd: account.project, mcpServers: [] } })
  const goesOn = await second.ask({ id: 2, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text: 'go on' }] } })
  assert.equal(goesOn.result?.stopReason, 'end_turn')
})

interface Answer {
  id?: number
  result?: { protocolVersion?: number; authMethods?: unknown[]; sessionId?: string; sessions?: unknown[]; stopReason?: string }
  error?: { code: number; data?: { code: string } }
}

/** `troupe acp` with nothing but a pipe before it. */
async function rawEditor(t: TestContext, { args = [], replies = [{ text: 'Hello.', repeat: true }], ...given }: RawEditor = {}) {
  const account = given.account ?? (await accountWith(t, replies))
  const process = spawn(launcher, ['acp', ...args], { cwd: account.project, env: account.env, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(process, 'exit')
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface(process.stdout).on('line', (line) => {
    const answer: Answer = JSON.parse(line)
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  t.after(async () => {
    process.stdin.end()
    await ended
  })
  const write = (text: string) => void process.stdin.write(text)
  const ask = (request: { id: number; method: string; params: object }) =>
    new Promise<Answer>((resolve) => {
      waiting.set(request.id, resolve)
      write(frame(request))
    })
  return { account, process, write, ask }
}

interface RawEditor {
  args?: readonly string[]
  replies?: readonly unknown[]
  /** One that has been used by an editor before. */
  account?: Account
}

async function accountWith(t: TestContext, replies: readonly unknown[]): Promise<Account> {
  const account = await anAccount(t)
  const model = await account.script({ follow: 'thread', replies })
  await account.write('.config/troupe/config.yaml', `model: ${JSON.stringify(model)}\n`)
  return account
}

function frame(request: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`
}

/** Whether a process runs whose command line has this word. */
async function isRunning(word: string): Promise<boolean> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.some((line) => line.split('\0').includes(word))
}
