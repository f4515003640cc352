import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { git } from '../git/git.ts'
import { runCommand } from '../run-command.ts'
import type { Command, CommandResult, SandboxKind, WorkspaceAccess } from '../sandbox.ts'
import { kindsHere } from '../test-actor.ts'
import { childrenOf } from '../test-processes.ts'
import { until } from '../test-until.ts'
import { testWorkspace } from '../test-workspace.ts'
import { type PreparedSandboxes, preparedSandboxes } from './prepared.ts'

/** What may happen to a workspace while a sandbox waits, and what a command then tries to gain by it. */
const changes: Readonly<Record<string, { change: (root: string) => void; attack: string }>> = {
  'settings that git put in the place of the old ones': {
    change: (root) => execFileSync('git', ['config', 'user.name', 'someone'], { cwd: root }),
    attack: 'printf "[core]\\n\\tfsmonitor = evil\\n" >> .git/config',
  },
  'hooks that were made anew': {
    change: (root) => {
      rmSync(join(root, '.git/hooks'), { recursive: true })
      mkdirSync(join(root, '.git/hooks'))
    },
    attack: 'echo evil > .git/hooks/post-checkout',
  },
  'a project that begins to speak to Troupe': {
    change: (root) => {
      mkdirSync(join(root, '.troupe'))
      writeFileSync(join(root, '.troupe/config.yaml'), 'limits: {}')
    },
    attack: 'echo evil > .troupe/config.yaml',
  },
  'another repository in the workspace': {
    change: (root) => execFileSync('git', ['init', '-q', 'inner'], { cwd: root }),
    attack: 'echo evil > inner/.git/hooks/post-checkout',
  },
  'another folder in the place of the workspace': {
    change: (root) => {
      renameSync(root, `${root}.old`)
      mkdirSync(root)
      execFileSync('git', ['init', '-q'], { cwd: root })
      rmSync(`${root}.old`, { recursive: true })
    },
    attack: 'echo evil > .git/hooks/post-checkout',
  },
}

const stopAll = 'for pid in $(seq 1 5000); do [ $pid = $$ ] || kill -STOP $pid 2>/dev/null; done'

for (const kind of await kindsHere()) {
  for (const [what, { change, attack }] of Object.entries(changes)) {
    test(`[S41] what waits in ${kind} is thrown away after ${what}, and the new one holds`, async (t) => {
      const { root, prepared, run } = await aRun(t, kind)
      await prepared.prepare(commandIn(root, 'change'))

      change(root)
      const result = await run('change', `${attack}; cat own`)

      assert.equal(result.prepared, 'outdated')
      assert.equal(spawnSync('grep', ['-rl', 'evil', '.'], { cwd: root, encoding: 'utf8' }).stdout, '')
    })
  }

  test(`[S41] where the sandbox that waited in ${kind} was killed the command runs once in a new one, and the record says so`, async (t) => {
    const { root, prepared, run, waiting } = await aRun(t, kind)
    await prepared.prepare(commandIn(root, 'change'))
    await until(() => waiting().length > 0)

    for (const pid of waiting()) process.kill(pid, 'SIGKILL') // not waited for: Node may not have heard of it yet
    const result = await run('change', 'echo x >> ran')

    assert.deepEqual([result.prepared, result.exit_code, readFileSync(join(root, 'ran'), 'utf8')], ['died', 0, 'x\n'])
  })

  test(`[S42] a command in ${kind} finds and stops no sandbox that waits, whatever it signals`, async (t) => {
    const { root, prepared, run, waiting } = await aRun(t, kind)
    await prepared.prepare(commandIn(root, 'read'))
    await until(() => waiting().length > 0)
    const named = waiting().map((pid) => `kill -STOP ${pid}; kill -KILL ${pid}; ls /proc/${pid}/root`)

    const seen = await run('change', `${named.join('; ')}; ls -d /proc/[0-9]* | wc -l; ${stopAll}`, { timeoutMs: 20_000 })
    const next = await run('read', 'cat own')

    assert.ok(Number(seen.stdout) <= 6, seen.stdout)
    assert.deepEqual([next.prepared, next.stdout], ['used', 'own'])
  })

  test(`[S42] at most one sandbox of ${kind} waits for each access, and none after its run`, async (t) => {
    const { root, prepared, waiting } = await aRun(t, kind)

    for (const access of ['read', 'change', 'throw_away', 'read', 'change'] as const) await prepared.prepare(commandIn(root, access))
    await until(() => waiting().length <= 3) // one that was replaced takes a moment to end
    prepared.close()
    await prepared.prepare(commandIn(root, 'read'))

    await until(() => waiting().length === 0)
  })

  test(`[S42] killed while a sandbox of ${kind} is built or waits, Troupe leaves none behind`, async (t) => {
    const { root } = await aRun(t, kind)

    for (const delay of [0, 5, 20, 100]) {
      const { troupe, below } = await startTroupe(t, kind, root)
      await new Promise((resolve) => setTimeout(resolve, delay))
      const found = below()
      troupe.kill('SIGKILL')
      await until(() => found.every((pid) => !existsSync(`/proc/${pid}`)))
    }
  })

  test(`[S40] in ${kind} nothing that a command leaves is there for the next: no file, no layer, no daemon, no full scratch`, async (t) => {
    const { run } = await aRun(t, kind)
    const fill = 'dd if=/dev/zero of=/run/full 2>/dev/null && echo roomy; dd if=/dev/zero of=/tmp/big bs=1M count=8 2>/dev/null'
    const leave = `${fill}; echo mine > left; (setsid sh -c 'sleep 600' </dev/null >&1 2>&1 &); echo left`

    const first = await run('throw_away', leave)
    const second = await run(
      'throw_away',
      'ls /tmp/big /run/full left; echo > /run/new; ls -d /proc/[0-9]* | wc -l; echo more > /tmp/x && cat /tmp/x own',
    )

    assert.equal(first.stdout, 'left\n')
    assert.match(second.stdout, /^[1-6]\nmore\nown$/)
  })

  test(`[S41] a workspace that vanished while a sandbox of ${kind} waits is a Problem, and nothing waits on`, async (t) => {
    const { root, prepared, run, waiting } = await aRun(t, kind)
    await prepared.prepare(commandIn(root, 'change'))

    rmSync(root, { recursive: true })

    await assert.rejects(run('change', 'true'), { code: 'not_found' })
    mkdirSync(root)
    prepared.close()
    await until(() => waiting().length === 0)
  })

  test(`[S41] a clock that jumps while a sandbox of ${kind} waits changes nothing`, async (t) => {
    const { run } = await aRun(t, kind)
    await run('read', 'true')

    for (const years of [10, -10]) {
      t.mock.method(Date, 'now', () => new Date().getTime() + years * 365 * 86_400_000)
      assert.equal((await run('read', 'cat own')).stdout, 'own')
    }
  })

  test(`[S43] three hundred commands in ${kind} leave no process and no descriptor behind`, async (t) => {
    const { run, prepared, waiting } = await aRun(t, kind)
    await run('read', 'true')
    const before = readdirSync('/proc/self/fd').length

    for (let at = 0; at < 100; at++) for (const access of ['read', 'throw_away', 'change'] as const) await run(access, 'true')
    prepared.close()

    await until(() => waiting().length === 0)
    await until(() => readdirSync('/proc/self/fd').length <= before + 5)
  })
}

/** A workspace in a repository, and what one run of an agent has. */
async function aRun(t: TestContext, kind: SandboxKind) {
  const root = await testWorkspace(t, { own: 'own' })
  await git(root, ['init', '-q'])
  const prepared = preparedSandboxes({ kind })
  t.after(() => prepared.close())
  const mine = new Set(childrenOf(process.pid))
  const run = (access: WorkspaceAccess, script: string, more: Partial<Command> = {}): Promise<CommandResult> =>
    runCommand({ ...commandIn(root, access, prepared), argv: ['sh', '-c', script], ...more }, { kind })
  return { root, prepared, run, waiting: () => childrenOf(process.pid).filter((pid) => !mine.has(pid)) }
}

function commandIn(root: string, access: WorkspaceAccess, prepared?: PreparedSandboxes): Command {
  return { argv: ['true'], root, access, ...(prepared && { prepared }) }
}

/** Another process of ours in which a sandbox waits, and every process below it. */
async function startTroupe(t: TestContext, kind: SandboxKind, root: string) {
  const program = `
    const { preparedSandboxes } = await import(${JSON.stringify(new URL('prepared.ts', import.meta.url).href)})
    const prepared = preparedSandboxes({ kind: '${kind}' })
    await prepared.prepare(${JSON.stringify(commandIn(root, 'throw_away'))})
    process.stdout.write('waiting')
    setInterval(() => undefined, 1000)`
  const troupe = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => troupe.kill('SIGKILL'))
  await once(troupe.stdout, 'data')
  const below = (pid = troupe.pid ?? 0): number[] => childrenOf(pid).flatMap((child) => [child, ...below(child)])
  return { troupe, below }
}
