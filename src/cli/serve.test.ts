import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginRepository } from '../worktrees/test-repository.ts'
import { anAccount, launcher, type Account } from './test-account.ts'
import { noTerminal } from './test-terminal.ts'

test('[C41] serving says as JSON in one line where it is, and keeps its token in a file of its user', async (t) => {
  const account = await anAccount(t)

  const { url, token } = await serving(t, account)
  const health = await fetch(new URL('/healthz', url))
  const roles = await fetch(new URL('/api/roles', url), { headers: { authorization: `Bearer ${token}` } })

  const file = join(account.home, '.local/share/troupe/token')
  assert.match(url.href, /^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)
  assert.equal(url.hash, `#token=${token}`)
  assert.equal((await readFile(file, 'utf8')).trim(), token)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual([health.status, roles.status], [200, 200])
})

test('[C41] the token is shown to whoever starts the server and kept out of the log of a service', { skip: noTerminal }, async (t) => {
  const account = await anAccount(t)
  const service = { ...account, env: { ...account.env, JOURNAL_STREAM: '8:12345' } }

  const piped = await firstLine(t, account, launcher, ['serve', '--port', '0'])
  const logged = await firstLine(t, service, launcher, ['serve', '--port', '0'])
  const shown = await firstLine(t, service, 'script', ['-qec', `${launcher} serve --port 0`, '/dev/null'])

  const file = join(account.home, '.local/share/troupe/token')
  const token = (await readFile(file, 'utf8')).trim()
  assert.match(piped.line, new RegExp(`^Troupe is at http://127\\.0\\.0\\.1:\\d+/#token=${token}$`))
  assert.match(logged.line, /^Troupe is at http:\/\/127\.0\.0\.1:\d+\/#token=TOKEN; the token stands in /)
  assert.ok(logged.line.endsWith(file))
  assert.ok(shown.line.trimEnd().endsWith(`/#token=${token}`), shown.line)
})

test('[C41] a busy port gives the next free one, and that is said', async (t) => {
  const account = await anAccount(t)
  const blocker = createServer().listen(0, '127.0.0.1')
  t.after(() => blocker.close())
  await once(blocker, 'listening')
  const address = blocker.address()
  const busy = typeof address === 'object' && address ? address.port : 0

  const { url, said } = await serving(t, account, busy)

  assert.ok(Number(url.port) > busy)
  while (!said().includes(`Port ${busy} is taken`)) await sleep(20)
})

test('[C37] SIGTERM ends the server with 0, also while a reader holds a stream open', async (t) => {
  const account = await anAccount(t)
  const { child, url, token } = await serving(t, account)
  const stream = await fetch(new URL('/api/events', url), { headers: { authorization: `Bearer ${token}` } })
  const ended = once(child, 'exit')

  child.kill('SIGTERM')

  assert.deepEqual(await ended, [0, null])
  await stream.body?.cancel().catch(() => undefined)
})

test('[C41] a port that is none and an address that is not ours are refused with what to do', async (t) => {
  const account = await anAccount(t)

  const port = await account.troupe('serve', '--port', 'many')
  const host = await account.troupe('serve', '--host', '203.0.113.7', '--port', '0')

  assert.match(port.stderr, /--port: port is "many"; expected a number/)
  assert.match(host.stderr, /cannot listen on 203\.0\.113\.7:0 .*name another with --host or --port/)
  assert.deepEqual([port.code, host.code], [42, 42])
})

test('[P54] a chat is held to the roles and settings of its own folder, wherever the server was started', async (t) => {
  const account = await anAccount(t)
  const calls = [
    { tool: 'create_file', input: { path: 'made.txt', content: '' } },
    { tool: 'execute_command', input: { command: 'touch run.txt' } },
  ]
  const script = await account.write('script.json', JSON.stringify({ follow: 'thread', replies: [{ calls }, { text: 'Done.' }] }))
  await account.write('elsewhere/.troupe/config.yaml', 'approvals:\n  create_file: deny\n')
  await account.write('elsewhere/.troupe/roles/actor.md', roleFile('actor', 'read_files, create_files'))
  await account.write('elsewhere/.troupe/roles/guide.md', roleFile('guide', 'read_files'))
  const { url, token } = await serving(t, account)
  const send = asker(url, token)
  const workspace = join(account.home, 'elsewhere')

  const { roles } = await send('GET', `/api/roles?workspace=${workspace}`)
  const { id } = await send('POST', '/api/chats', { workspace, model: `scripted:${script}` })
  await send('POST', `/api/chats/${id}/messages`, { text: 'go' })
  const read = () => send('GET', `/api/chats/${id}`)
  while ((await read()).run.status === 'running') await sleep(20)

  const { messages } = await read()
  const outcomes = messages
    .filter(({ type }: { type: string }) => type === 'tool_result')
    .map(({ outcome }: { outcome: string }) => outcome)
  assert.deepEqual(outcomes, ['denied', 'denied'])
  assert.deepEqual(await readdir(workspace), ['.troupe'])
  assert.ok(roles.some((role: { id: string }) => role.id === 'guide'))
})

test('[P54] a turn is held to what the files of its folder say as it begins, whatever they said when the server read them first', async (t) => {
  const account = await anAccount(t)
  const tries = ['before.txt', 'after.txt'].flatMap((path) => [
    { calls: [{ tool: 'create_file', input: { path, content: '' } }] },
    { text: 'Done.' },
  ])
  const script = await account.write('script.json', JSON.stringify({ follow: 'thread', replies: tries }))
  await account.write('elsewhere/note.txt', '')
  const { url, token } = await serving(t, account)
  const send = asker(url, token)
  const workspace = join(account.home, 'elsewhere')
  const { id } = await send('POST', '/api/chats', { workspace, model: `scripted:${script}` })
  const turn = async () => {
    await send('POST', `/api/chats/${id}/messages`, { text: 'go' })
    while ((await send('GET', `/api/chats/${id}`)).run.status === 'running') await sleep(20)
  }

  await turn()
  await account.write('elsewhere/.troupe/config.yaml', 'approvals:\n  create_file: deny\n')
  await turn()

  assert.deepEqual((await readdir(workspace)).toSorted(), ['.troupe', 'before.txt', 'note.txt'])
})

test('[P54] a folder whose role files have a fault plays no turn and says why, and its chats can still be read', async (t) => {
  const account = await anAccount(t)
  await account.write('elsewhere/note.txt', '')
  const first = await serving(t, account)
  const { id } = await asker(first.url, first.token)('POST', '/api/chats', { workspace: join(account.home, 'elsewhere') })
  first.child.kill('SIGKILL')
  await account.write('elsewhere/.troupe/roles/odd.md', 'no role')
  const { url, token } = await serving(t, account)
  const send = asker(url, token)

  const { role_warning } = await send('GET', `/api/chats/${id}`)
  const refused = await send('POST', `/api/chats/${id}/messages`, { text: 'go' })

  assert.match(role_warning, /odd\.md/)
  assert.match(refused.error.message, /odd\.md/)
})

test('[B54] a server keeps the files of the board of its folder up to date, also of one that is made on its page', async (t) => {
  const account = await anAccount(t)
  await beginRepository(account.project, { 'spec.md': '# Users' })
  const { child, url, token } = await serving(t, account)
  const body = JSON.stringify({ goal: 'List the users', spec_ref: 'spec.md', auto_approve: false })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  const made = await fetch(new URL('/api/boards', url), { method: 'POST', headers, body })
  const text = () => readFile(join(account.project, '.troupe/state.yaml'), 'utf8').catch(() => '')
  while (!(await text()).includes('description: List the users')) await sleep(50)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')

  assert.ok(made.ok, await made.text())
  assert.deepEqual(await ended, [0, null])
})

/** A role file of a project, as short as it can be. */
function roleFile(id: string, permissions: string): string {
  return `---\nid: ${id}\nname: ${id}\ndescription: A role of the project.\nllm_model: default\npermissions: [${permissions}]\n---\nDo it.\n`
}

function asker(url: URL, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async (method: string, path: string, body?: object) => {
    const answer = await fetch(new URL(path, url), { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return answer.json()
  }
}

/** A serving process that has said where it is; ended with the test. */
async function serving(t: TestContext, account: Account, port = 0) {
  const { child, line, said } = await firstLine(t, account, launcher, ['serve', '--port', String(port), '--json'])
  const { url, token } = JSON.parse(line) as { url: string; token: string } // what `serve --json` prints
  return { child, url: new URL(url), token, said }
}

async function firstLine(t: TestContext, { project: cwd, env }: Account, program: string, args: string[]) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (more: string) => (said += more))
  t.after(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  })
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit')])
  assert.equal(typeof line, 'string', `the server ended instead of saying where it is: ${said}`)
  return { child, line: String(line), said: () => said }
}
