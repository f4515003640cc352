import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { treeOf } from '../../tests/tree.ts'
import { git } from './git/git.ts'
import { runCommand } from './run-command.ts'
import type { Command, WorkspaceAccess } from './sandbox.ts'
import { kindsHere } from './test-actor.ts'
import { attackLines, ordinaryLines } from './test-attacks.ts'
import { processesWith } from './test-processes.ts'
import { committer, listenHere, setVariables } from './test-surroundings.ts'
import { until } from './test-until.ts'
import { testWorkspace, visiblePlace } from './test-workspace.ts'

const accesses = ['read', 'throw_away', 'change'] satisfies WorkspaceAccess[]

for (const kind of await kindsHere()) {
  for (const access of accesses) {
    test(`[S50] what shells are used for against a machine changes, ends, reads and reaches nothing beyond the workspace, in ${kind} with access ${access}`, async (t) => {
      const stage = await setStage(t)
      const before = await stage.look(access)
      const leaks: string[] = []

      for (const line of Object.values(attackLines).flat()) {
        const command: Command = { argv: ['bash', '-c', line], root: stage.root, access, env: stage.env, timeoutMs: 30_000 }
        const { stdout, stderr, ended } = await runCommand(command, { kind })
        if ([stage.canary, 'SECRET_TEST_VALUE'].some((secret) => `${stdout}${stderr}`.includes(secret))) leaks.push(line)
        if (ended === 'timed_out') leaks.push(`${line} (did not end)`)
      }

      assert.deepEqual(leaks, [])
      assert.deepEqual(stage.reached, [])
      assert.deepEqual(await stage.look(access), before)
      assert.deepEqual([stage.victim.exitCode, stage.victim.signalCode], [null, null])
      await until(async () => (await processesWith(stage.env.MARK)).length === 0)
    })

    test(
      `[S50] ordinary work goes on in ${kind} with access ${access}`,
      { skip: access === 'read' && 'ordinary work writes' },
      async (t) => {
        const { root, env } = await setStage(t)
        const failed: string[] = []

        for (const [name, line] of Object.entries(ordinaryLines)) {
          const { exit_code, stderr } = await runCommand({ argv: ['bash', '-c', line], root, access, env, timeoutMs: 60_000 }, { kind })
          if (exit_code !== 0) failed.push(`${name}: ${exit_code} ${stderr}`)
        }

        assert.deepEqual(failed, [])
      },
    )
  }
}

/** A home with keys, a store, a neighbour, a process, listeners and a repository: everything that is compared before and after. */
async function setStage(t: TestContext) {
  const canary = `CANARY-${randomUUID()}` // another test beside this one has files of the same names
  const keys = { 'home/.ssh/id_rsa': canary, 'home/.aws/credentials': canary, 'home/.netrc': canary, 'home/.bashrc': canary }
  const files = {
    'root/kept': 'text',
    'outside/kept': 'text',
    'outside/kept2': 'text',
    'store/token': canary,
    'store/deep/file': canary,
  }
  const scripts = { test: 'node -e "process.exit(0)"', build: 'mkdir -p dist && echo 1 > dist/out.js' }
  const folder = await testWorkspace(t, { ...files, ...keys, 'root/package.json': JSON.stringify({ scripts }) }, visiblePlace)
  const root = join(folder, 'root')
  for (const args of [['init', '-q'], ['add', '-A'], ['commit', '-qm', 'first']] as const) await git(root, args, { env: committer }) // prettier-ignore
  const victim = spawn('sleep', ['600'])
  t.after(() => victim.kill('SIGKILL'))
  const socket = join(folder, 'channel')
  const { reached, port } = await setListeners(t, socket)
  setVariables(t, { TROUPE_HOME: join(folder, 'store'), HOME: join(folder, 'home'), SECRET_TEST_API_KEY: 'SECRET_TEST_VALUE' })
  const env = {
    OUT: join(folder, 'outside'),
    STORE: join(folder, 'store'),
    REALHOME: join(folder, 'home'),
    SOCKET: socket,
    VICTIM: String(victim.pid),
    PORT: String(port),
    MARK: `troupe-mark-${process.pid}-${port}`,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  }
  const look = async (access: WorkspaceAccess) => ({
    around: Object.fromEntries(
      await Promise.all(['home', 'store', 'outside'].map(async (name) => [name, await treeOf(join(folder, name))])),
    ),
    own: access === 'change' ? null : await treeOf(root),
    hooks: await treeOf(join(root, '.git/hooks')).catch(() => null),
  })
  return { root, env, canary, victim, reached, look }
}

/** Whoever connects to any of them was let out. */
async function setListeners(t: TestContext, socket: string): Promise<{ reached: string[]; port: number }> {
  const reached: string[] = []
  const heard = (way: string) => createServer((client) => client.destroy()).on('connection', () => reached.push(way))
  const port = await listenHere(t, heard('tcp'))
  const datagrams = createSocket('udp4', () => reached.push('udp')).bind(port, '127.0.0.1')
  const channel = heard('unix')
  await new Promise<void>((resolve) => channel.listen(socket, resolve))
  t.after(() => {
    datagrams.close()
    channel.close()
  })
  return { reached, port }
}
