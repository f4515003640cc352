import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { aQuestion } from '../chat/test-chat.ts'
import { listenHere } from '../sandbox/test-surroundings.ts'
import { until } from '../sandbox/test-until.ts'
import { anAccount, type Account } from './test-account.ts'
import { serving } from './test-serving.ts'

const SECRET = 'the-secret-of-the-webhook'

test('[V30] [V31] what waits is told once, signed, with a link but no token, and not again after a restart', async (t) => {
  const receiver = await aReceiver(t, [])
  const account = await anAsker(t, `{ webhook: { url: "${receiver.url}", secret_env: HOOK_SECRET } }`, { HOOK_SECRET: SECRET })
  const first = await serving(t, account)

  await askSomething(first.ask, account)
  await until(() => receiver.got.length > 0)
  await stopped(first.child)
  const second = await serving(t, account)
  await askSomething(second.ask, account)
  await until(() => receiver.got.length > 1)
  await stopped(second.child)

  const [one, two] = receiver.got
  const body = JSON.parse(one?.body ?? '')
  assert.equal(receiver.got.length, 2)
  assert.notEqual(JSON.parse(two?.body ?? '').id, body.id)
  assert.deepEqual([body.kind, body.title, body.project], ['question', aQuestion.question, 'project'])
  assert.match(body.link, new RegExp(`^${first.url.origin}/chat/[\\w-]+$`))
  assert.ok(!one?.body.includes(first.token))
  assert.equal(
    one?.headers['x-troupe-signature'],
    `sha256=${createHmac('sha256', SECRET)
      .update(one?.body ?? '')
      .digest('hex')}`,
  )
  assert.equal(one?.headers['x-troupe-timestamp'], String(body.timestamp))
})

test('[V32] a server that fails is tried again; one that refuses or redirects is not, and the log of the server says so', async (t) => {
  const receiver = await aReceiver(t, [503, 429, 200, 302])
  const account = await anAsker(t, `{ webhook: { url: "${receiver.url}" } }`)
  const { ask, child, said } = await serving(t, account)

  await askSomething(ask, account)
  await until(() => receiver.got.length === 3)
  await askSomething(ask, account)
  await until(() => said().includes('answered 302'))
  await stopped(child)

  const ids = receiver.got.map(({ body }) => JSON.parse(body).id)
  assert.deepEqual([new Set(ids.slice(0, 3)).size, ids.length], [1, 4])
  assert.ok(!said().includes('/hook'))
})

test('[V33] no secret of the user is in a notification, and its text is bounded', async (t) => {
  const receiver = await aReceiver(t, [])
  const secrets = { SOME_API_KEY: 'a-key-that-nobody-may-read' }
  const account = await anAsker(t, `{ ntfy: { url: "${receiver.url}" } }`, secrets, `Use ${secrets.SOME_API_KEY}? ${'long '.repeat(500)}`)
  const { ask, child } = await serving(t, account)

  await askSomething(ask, account)
  await until(() => receiver.got.length > 0)
  await stopped(child)

  const [one] = receiver.got
  const { topic, title, priority } = JSON.parse(one?.body ?? '')
  assert.deepEqual([one?.path, topic, priority], ['/', 'hook', 4])
  assert.ok(!one?.body.includes(secrets.SOME_API_KEY) && title.startsWith('Use ') && title.length <= 200)
})

test('[V34] a command is told by its environment and its input, and sees nothing else of ours', async (t) => {
  const account = await anAsker(t, '{ command: [sh, -c, "env > $HOME/env; cat > $HOME/part; mv $HOME/part $HOME/told"] }', {
    SOME_API_KEY: 'a-key-that-nobody-may-read',
  })
  const { ask, child } = await serving(t, account)
  const read = (name: string) => readFile(`${account.home}/${name}`, 'utf8').catch(() => '')

  await askSomething(ask, account)
  await until(async () => (await read('told')) !== '')
  await stopped(child)

  assert.equal(JSON.parse(await read('told')).title, aQuestion.question)
  assert.ok((await read('env')).includes(`TROUPE_TITLE=${aQuestion.question}`))
  assert.ok(!(await read('env')).includes('SOME_API_KEY'))
})

test('[V35] the settings of a project may not name who is told', async (t) => {
  const account = await anAccount(t)

  for (const own of ['webhook: { url: "http://127.0.0.1:9/x" }', 'ntfy: { url: "http://127.0.0.1:9/x" }', 'command: [touch, here]']) {
    await account.write('project/.troupe/config.yaml', `notifications: { ${own} }\n`)
    const { code, stderr } = await account.troupe('config', 'check')
    assert.equal(code, 42)
    assert.match(stderr, /a project may not set notifications\./)
  }
})

test('[V36] a receiver that never answers does not hold up the end of the server, which tells it again when it is back', async (t) => {
  const receiver = await aReceiver(t, [null])
  const account = await anAsker(t, `{ webhook: { url: "${receiver.url}" } }`)
  const first = await serving(t, account)

  await askSomething(first.ask, account)
  await until(() => receiver.got.length === 1)
  const ended = await stopped(first.child)
  const second = await serving(t, account)
  await until(() => receiver.got.length === 2)
  await stopped(second.child)

  assert.deepEqual(ended, [0, null])
  assert.equal(new Set(receiver.got.map(({ body }) => JSON.parse(body).id)).size, 1)
})

test('[V37] a variable that is named and not set is found by the doctor, and an address is shown without its path', async (t) => {
  const account = await anAsker(t, '{ webhook: { url: "http://127.0.0.1:9/hook-path", secret_env: HOOK_SECRET } }')

  const doctor = JSON.parse((await account.troupe('doctor', '--json')).stdout)
  const shown = await account.troupe('config', 'show', '--json')
  const { said, child } = await serving(t, account)
  await until(() => said().includes('HOOK_SECRET, which is not set'))
  await stopped(child)

  const found = doctor.findings.find(({ what }: { what: string }) => what === 'notifications')
  assert.equal(found.state, 'warn')
  assert.ok(found.found.includes('HOOK_SECRET'))
  assert.ok(shown.stdout.includes('http://127.0.0.1:9/…') && !shown.stdout.includes('hook-path'))
})

/** An account whose model asks one question after another. */
async function anAsker(t: TestContext, notifications: string, more: Record<string, string> = {}, question = aQuestion.question) {
  const account = await anAccount(t, more)
  const asked = { text: JSON.stringify({ ...aQuestion, question, severity: 'major' }) }
  const model = await account.script([asked, asked, asked])
  await account.write('.config/troupe/config.yaml', `model: "${model}"\nnotifications: ${notifications}\n`)
  return account
}

async function askSomething(ask: Awaited<ReturnType<typeof serving>>['ask'], { project }: Account): Promise<void> {
  const { id, error } = await ask('POST', '/api/chat/create', { workspace: project, agent_role: 'actor' })
  assert.equal(error, undefined)
  const sent = await ask('POST', '/api/chat/send_message', { chat: id, text: 'rename it' })
  assert.equal(sent.error, undefined)
}

async function stopped(child: Awaited<ReturnType<typeof serving>>['child']): Promise<unknown[]> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  return ended
}

/** A server that answers as it is told, then with 200; null is no answer. */
async function aReceiver(t: TestContext, answers: (number | null)[]) {
  const got: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = got.length < answers.length ? answers[got.length] : 200
      got.push({ path: request.url ?? '', headers: request.headers, body })
      if (answer !== null) response.writeHead(answer ?? 200, { location: '/elsewhere' }).end()
    })
  })
  t.after(() => server.closeAllConnections())
  const port = await listenHere(t, server)
  return { got, url: `http://127.0.0.1:${port}/hook` }
}
