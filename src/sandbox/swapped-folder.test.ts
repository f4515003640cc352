import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { runCommand } from './run-command.ts'
import type { Command, SandboxKind } from './sandbox.ts'
import { kindsHere } from './test-actor.ts'
import { until } from './test-until.ts'
import { testWorkspace, visiblePlace } from './test-workspace.ts'

/** Exchanges a folder that holds a secret with a link that leads beside the workspace, as fast as it can. */
const swap = `mkdir -p a && echo x > a/.env && ln -s ../outside b && touch going &&
  exec perl -e 'my ($a, $b) = ("a", "b"); my $call = (\`uname -m\` =~ /x86/) ? 316 : 276; while (1) { syscall($call, -100, $a, -100, $b, 2) }'`

const kinds = await kindsHere()

for (const kind of kinds.filter((name) => name === 'namespaces')) {
  test(`[S51] a command that swaps folders for links while the sandbox of another is built opens nothing beyond the workspace, in ${kind}`, async (t) => {
    const { folder, command, stop } = await swapping(t, kind)
    let built = 0

    for (let at = 0; at < 100; at++) {
      const argv = ['sh', '-c', 'echo bad > ../outside/bad'] as const
      if ((await runCommand({ ...command, argv }, { kind }).catch(() => null)) !== null) built += 1
    }
    await stop() // before its folder is removed

    assert.equal(existsSync(join(folder, 'outside/bad')), false)
    assert.ok(built > 0)
  })
}

for (const kind of kinds.filter((name) => name === 'bubblewrap')) {
  test(`[S51] beside a command that may change the workspace no other starts in ${kind}, and one does once it has ended`, async (t) => {
    const { command, stop } = await swapping(t, kind)

    const beside = runCommand({ ...command, access: 'read' }, { kind })

    await assert.rejects(beside, { code: 'conflict' })
    await stop()
    assert.equal((await runCommand(command, { kind })).exit_code, 0)
  })
}

async function swapping(t: TestContext, kind: SandboxKind) {
  const folder = await testWorkspace(t, { 'root/kept': 'text', 'outside/kept': 'text', 'outside/.env': 'x' }, visiblePlace)
  const root = join(folder, 'root')
  const command: Command = { argv: ['true'], root, access: 'change', allowedSecrets: [] }
  const stopping = new AbortController()
  const running = runCommand({ ...command, argv: ['sh', '-c', swap], signal: stopping.signal }, { kind })
  const stop = async () => {
    stopping.abort()
    await running
  }
  t.after(stop)
  await until(() => existsSync(join(root, 'going')))
  return { folder, command, stop }
}
