import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { anAccount, launcher, runProgram, type Account } from '../../src/cli/test-account.ts'

test('[C60] [C61] the demo shows chat, board and job for real, and touches nothing but its folder', async (t) => {
  const account = await aReadOnlyAccount(t)
  const dir = join(await realpath(account.home), 'outside', 'demo')

  const { code, seen } = await demo(t, account, ['--dir', dir], { OPENAI_API_KEY: 'sk-nobody', TROUPE_STORE: 'sqlite:/nowhere/at-all.db' })

  const end = seen.at(-1)
  assert.deepEqual([code, end?.['type'], end?.['folder']], [0, 'end', dir])
  assert.deepEqual(
    seen.filter(({ type }) => type === 'scene').map(({ title }) => String(title).slice(4).split(':')[0]),
    ['A role is a boundary, not a prompt', 'Chat', 'The board', 'A job'],
  )
  assert.deepEqual(
    seen
      .filter(({ type, outcome }) => type === 'call' && outcome === 'denied')
      .map(({ tool }) => tool)
      .slice(0, 4),
    ['create_file', 'update_file', 'delete_file', 'execute_command'],
  )
  assert.equal(end?.['enforced'], 17)
  const quoted = seen.flatMap(({ text }) => String(text).match(/\b(?=[a-f]*\d)[0-9a-f]{7,}\b/g) ?? [])
  assert.deepEqual([...new Set(quoted.map((commit) => commit.length))], [12])
  assert.match(await readFile(join(dir, 'project/src/parse-price.js'), 'utf8'), /replaceAll/)
  assert.deepEqual([await readdir(join(account.home, 'home')), await readdir(account.project)], [[], []])
  assert.deepEqual(await readdir(join(dir, 'scratch')), [])
  const token = await readFile(join(dir, 'home/token'), 'utf8')
  const [page = ''] = String(end?.['links']).split('chat/')
  assert.deepEqual(
    end?.['links'],
    [`chat/${String(end?.['chat_id'])}`, `board/${String(end?.['board_id'])}`, 'jobs/pages', 'roles'].map(
      (place) => `${page}${place}#token=${token.trim()}`,
    ),
  )
  await assert.rejects(fetch(page), 'a link leads to whatever serves there already')
  await assertLooksAround(account, dir, String(end?.['chat_id']))
})

test('[C62] a demo that is stopped leaves nothing behind', async (t) => {
  const account = await aReadOnlyAccount(t)
  const dir = join(account.home, 'outside', 'demo')
  const child = start(t, account, ['--dir', dir], {})
  const lines = createInterface({ input: child.stdout ?? assert.fail() })
  for await (const line of lines) if (JSON.parse(line).text === 'you: Execute Plan') break

  child.kill('SIGINT')
  const [code] = await once(child, 'close')

  assert.ok(code === 130 || code === 1, `it ended with ${code}`) // 1 where stopping took longer than whoever stops us waits
  assert.equal(existsSync(dir), false)
})

test('[C62] a folder that holds something is refused and left as it is', async (t) => {
  const account = await anAccount(t)
  await writeFile(join(account.project, 'mine.txt'), 'mine')

  const { code, stderr } = await account.troupe('demo', '--dir', account.project)

  assert.equal(code, 42)
  assert.match(stderr, /is not empty/)
  assert.deepEqual(await readdir(account.project), ['mine.txt'])
})

test('[C63] without a sandbox the demo goes through and says what this machine cannot do', async (t) => {
  const account = await aReadOnlyAccount(t)

  const { code, seen } = await demo(t, account, ['--no-keep'], { TMPDIR: join(account.home, 'outside') }, withoutNamespaces())

  assert.deepEqual([code, seen[0]?.['sandbox'], seen.at(-1)?.['enforced']], [0, 'none', 17])
  assert.ok(
    seen.some(
      ({ type, text }) => type === 'enforced' && text === 'Without a sandbox a Tester gets no command at all, instead of a free shell.',
    ),
  )
  assert.deepEqual(await readdir(join(account.home, 'outside')), [])
})

type Seen = Record<string, unknown>

/** An account whose home is empty and cannot be written, and a folder beside it that can. */
async function aReadOnlyAccount(t: TestContext): Promise<Account> {
  const account = await anAccount(t)
  await mkdir(join(account.home, 'outside'))
  await mkdir(join(account.home, 'home'))
  await chmod(join(account.home, 'home'), 0o555)
  account.env['HOME'] = join(account.home, 'home')
  return account
}

async function demo(
  t: TestContext,
  account: Account,
  args: string[],
  env: Record<string, string>,
  before: readonly string[] = [],
): Promise<{ code: unknown; seen: Seen[] }> {
  const child = start(t, account, args, env, before)
  const seen: Seen[] = []
  for await (const line of createInterface({ input: child.stdout ?? assert.fail() })) seen.push(JSON.parse(line))
  const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode]
  return { code, seen }
}

function start(
  t: TestContext,
  { project, env }: Account,
  args: string[],
  more: Record<string, string>,
  before: readonly string[] = [],
): ChildProcess {
  const [program = launcher, ...words] = [...before, launcher, 'demo', '--json', ...args]
  const child = spawn(program, words, { cwd: project, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** What starts a program where no sandbox can be built: in a user namespace that allows none below it. A machine without namespaces needs nothing. */
function withoutNamespaces(): string[] {
  const forbid = 'for kind in mnt user; do echo 0 > /proc/sys/user/max_${kind}_namespaces || exit; done; exec "$@"'
  const words = ['unshare', '--user', '--map-root-user', 'sh', '-c', forbid, 'sh']
  return spawnSync('unshare', [...words.slice(1), 'true']).status === 0 ? words : []
}

/** The command that comes with the demo shows what was played, and nothing of the account. */
async function assertLooksAround(account: Account, dir: string, chatId: string): Promise<void> {
  const { stdout } = await runProgram(join(dir, 'troupe'), ['chat', 'show', chatId], { cwd: account.project, env: account.env })
  assert.match(stdout, /Execute Plan/)
}
