import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { beginRepository } from '../worktrees/test-repository.ts'
import { anAccount, runTroupe } from './test-account.ts'

const plan = { goal: 'Write a greeting', steps: [{ step_number: 1, action: 'Create greeting.txt' }] }

test('[C91] with TROUPE_HOME everything of ours lies in that folder, the folders of jobs and the settings too', async (t) => {
  const account = await anAccount(t)
  const home = join(account.home, 'all of it')
  account.env['TROUPE_HOME'] = home
  await account.write('all of it/config.yaml', 'model: rehearsal\n')
  await beginRepository(account.project, { 'a.txt': 'a\n' })

  const made = await account.troupe('job', 'create', 'greet', '--objective', 'Greet', '--activate')
  const ran = await account.troupe('job', 'run', 'greet')

  assert.deepEqual([made.code, ran.code], [0, 10], made.stderr + ran.stderr)
  assert.ok(existsSync(join(home, 'jobs/greet/workspace/rehearsal-notes.md')))
  assert.deepEqual((await readdir(account.home)).toSorted(), ['all of it', 'project'])
})

test('[C91] a TROUPE_HOME that is relative, a file, or where nothing can be kept is refused at once', async (t) => {
  const account = await anAccount(t)
  const file = await account.write('file', '')

  for (const home of ['here', file, join(file, 'below'), '/proc/x', '/sys/x']) {
    account.env['TROUPE_HOME'] = home
    const { code, stderr } = await account.troupe('chat', 'list')
    assert.equal(code, 42, home)
    assert.match(stderr, /^troupe: TROUPE_HOME is "[^\n]*; export TROUPE_HOME=… to a folder you own\n$/)
  }
})

test('[C92] a run tells its cost and, once it has failed, how to go on; troupe runs lists it with chats and jobs', async (t) => {
  const account = await anAccount(t)
  const model = await account.script([{ text: 'Done.', usage: { input_tokens: 10, output_tokens: 5, cost_microusd: 1200 } }, { fail: 401 }])
  await beginRepository(account.project, { 'a.txt': 'a\n' })

  const done = await account.troupe('run', 'do it', '--model', model)
  const failed = await account.troupe('run', 'do it', '--model', await account.script([{ fail: 401 }], 'fails.json'))
  await runTroupe(['chat', '--model', 'rehearsal'], { cwd: account.project, env: account.env }, 'hello\n')
  await account.troupe('job', 'create', 'greet', '--objective', 'Greet', '--activate')
  await account.troupe('job', 'step', 'greet')
  const listed = JSON.parse((await account.troupe('runs', '--json')).stdout).runs
  const text = (await account.troupe('runs')).stdout

  assert.match(done.stderr, /^1 turn, \$0\.0012$/m)
  const resume = /^Continue with: (troupe run --resume run_\w+ "what to do next")$/m.exec(failed.stderr)?.[1]
  assert.ok(resume, failed.stderr)
  assert.deepEqual(
    listed.map(({ way, status, agent_role }: Record<string, string>) => [way, status, agent_role]),
    [
      ['job', 'completed', 'worker'],
      ['chat', 'completed', 'planner'],
      ['run', 'failed', 'actor'],
      ['run', 'completed', 'actor'],
    ],
  )
  assert.ok(text.includes(resume) && /troupe chat --resume chat_/.test(text) && text.includes('$0.0012'), text)
})

test('[C93] a planner without a person beside it prints its plan, as text and in JSON', async (t) => {
  const account = await anAccount(t)
  const model = await account.script([{ text: `I would do this:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\`` }])
  const called = await account.script([{ calls: [{ tool: 'submit_plan', input: plan }] }], 'called.json')

  const text = await account.troupe('run', 'greet', '--role', 'planner', '--model', model)
  const tool = await account.troupe('run', 'greet', '--role', 'planner', '--model', called)
  const json = await account.troupe('run', 'greet', '--role', 'planner', '--model', model, '--json')

  assert.equal(text.stdout, 'I would do this:\nPlan 1 (draft): Write a greeting\n  1. Create greeting.txt\n')
  assert.match(tool.stdout, /^Plan 1 \(draft\): Write a greeting\n {2}1\. Create greeting\.txt\n$/)
  assert.equal(JSON.parse(json.stdout).plan.content.goal, 'Write a greeting')
})

test('[C94] a chat in which nothing was said is not kept, one can be deleted, and one that is carried on shows its end', async (t) => {
  const account = await anAccount(t)
  const chat = (args: string[], input: string) => runTroupe(['chat', ...args], { cwd: account.project, env: account.env }, input)
  const list = async () => JSON.parse((await account.troupe('chat', 'list', '--json')).stdout).chats

  await chat([], '')
  const none = await list()
  const json = await chat(['--model', await account.script([{ text: JSON.stringify(plan) }]), '--json'], 'greet\n')
  const [{ id }] = await list()
  const again = await chat(['--continue'], '')
  const deleted = await account.troupe('chat', 'delete', id)

  assert.deepEqual([none, await list()], [[], []])
  assert.deepEqual([JSON.parse(json.stdout).id, JSON.parse(json.stdout).plans.length], [id, 1])
  assert.match(again.stdout, /› greet[^]*Plan 1 \(draft\): Write a greeting[^]*\/execute/)
  assert.deepEqual([deleted.code, deleted.stdout], [0, `Deleted: ${id}\n`])
})

test('[C95] a prompt that is no text, or more than anybody writes, is refused and not sent', async (t) => {
  const account = await anAccount(t)
  const run = (input: string | Buffer) => runTroupe(['run', '-'], { cwd: account.project, env: account.env }, input as string) // bytes are passed on

  const bytes = await run(Buffer.from([0x68, 0x69, 0xff, 0xfe, 0x00]))
  const huge = await run('a'.repeat(3 * 1024 * 1024))

  assert.deepEqual([bytes.code, huge.code], [42, 42])
  assert.match(bytes.stderr, /this is not text/)
  assert.match(huge.stderr, /this text has 3\.0 MiB, and at most 1 MiB can be sent/)
  assert.deepEqual(JSON.parse((await account.troupe('runs', '--json')).stdout).runs, [])
})

test('[C21] a file with several faults is told all of them, each with its line', async (t) => {
  const account = await anAccount(t)
  await account.write('.config/troupe/config.yaml', 'modle: x\nport: high\nlimits:\n  max_turns: none\n')

  const { code, stderr } = await account.troupe('config')

  assert.equal(code, 42)
  for (const fault of [
    /config\.yaml:1: modle is not a field here; did you mean model/,
    /config\.yaml:2: port is "high"/,
    /config\.yaml:4: limits\.max_turns/,
  ])
    assert.match(stderr, fault)
})

test('[C41] a port that was named and is taken is refused', async (t) => {
  const account = await anAccount(t)
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo // a listening TCP server has one

  const { code, stderr } = await account.troupe('serve', '--port', `${port}`)

  assert.equal(code, 42)
  assert.match(stderr, new RegExp(`port ${port} is taken`))
})

test('[C42] the doctor finds a damaged page of the store', async (t) => {
  const account = await anAccount(t)
  for (const words of ['one', 'two', 'three']) await account.troupe('run', words, '--model', 'rehearsal')
  const store = await open(join(account.home, '.local/share/troupe/troupe.db'), 'r+')
  const { size } = await store.stat()
  for (let at = 4096 * 3; at < size; at += 4096) await store.write(Buffer.alloc(512, 0xaa), 0, 512, at)
  await store.close()

  const { code, stdout } = await account.troupe('doctor')

  assert.equal(code, 1)
  assert.match(stdout, /✘ store .*damaged/)
})
