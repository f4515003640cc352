import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Problem } from '../domain/problem.ts'
import { openProcess } from './open-process.ts'
import type { Command, SandboxState } from './sandbox.ts'
import { kindsHere } from './test-actor.ts'
import { processesWith } from './test-processes.ts'
import { until } from './test-until.ts'
import { testWorkspace } from './test-workspace.ts'

const missing: SandboxState = { kind: 'none', reason: 'nothing works here', fix: 'install something' }

for (const kind of await kindsHere()) {
  test(`[M100] a program in ${kind} is talked with while it runs, and nothing it prints is kept back or cut`, async (t) => {
    const root = await testWorkspace(t)
    const big = 'x'.repeat(3_000_000)
    const opened = await openProcess({ argv: ['cat'], root, access: 'read' }, { kind })

    opened.stdin.write('first\n')
    const first = await firstChunk(opened.stdout)
    opened.stdin.end(big)
    const rest = await text(opened.stdout)

    const { ended, exit_code, stdout } = await opened.ended
    assert.deepEqual([first, rest === big, ended, exit_code, stdout], ['first\n', true, 'exited', 0, ''])
  })

  test(`[M100] a program in ${kind} that is talked with sees and changes what its access allows, and reaches nobody`, async (t) => {
    const root = await testWorkspace(t, { kept: 'text', '.env': 'TOKEN=secret' })
    const script = 'cat .env; touch made; ls; cat /proc/net/route | tail -n +2 | wc -l'
    const told = async (access: Command['access']) => {
      const opened = await openProcess({ argv: ['sh', '-c', `${script}; cat`], root, access, allowedSecrets: [] }, { kind })
      opened.stdin.end()
      return text(opened.stdout)
    }

    const heard = [await told('read'), await told('throw_away'), await told('change')]

    assert.deepEqual(heard, ['kept\n0\n', 'kept\nmade\n0\n', 'kept\nmade\n0\n'])
    assert.deepEqual((await readdir(root)).toSorted(), ['.env', 'kept', 'made'])
  })

  test(`[M100] a program in ${kind} that is talked with is gone when stopping it comes back, with all it started`, async (t) => {
    const root = await testWorkspace(t)
    const argv = ['sh', '-c', `trap "" TERM; (setsid sh -c 'sleep 600; :' left "$PWD" &) ; echo ready; sleep 600`] as const
    const opened = await openProcess({ argv: [...argv], root, access: 'read' }, { kind })
    await firstChunk(opened.stdout)

    await opened.stop()

    assert.equal((await opened.ended).ended, 'stopped')
    assert.deepEqual(await processesWith(`left\0${root}`), [])
  })

  test(`[M100] a program in ${kind} that is talked with ends by itself, with its code and the last it complained of`, async (t) => {
    const root = await testWorkspace(t)
    const opened = await openProcess({ argv: ['sh', '-c', 'echo broken >&2; exit 3'], root, access: 'read' }, { kind })

    const { ended, exit_code } = await opened.ended

    assert.deepEqual([ended, exit_code, opened.stderrTail()], ['exited', 3, 'broken\n'])
    assert.equal(await new Promise((resolve) => opened.stdin.write('too late', (error) => resolve(error != null))), true)
  })

  test(`[M100] when Troupe itself is killed, a program in ${kind} that it talks with dies with it`, async (t) => {
    const root = await testWorkspace(t)
    const argv = ['sh', '-c', `(setsid sh -c 'sleep 600; :' left "$PWD" &) ; touch ready; sleep 600`]
    const program = `
      const { openProcess } = await import(${JSON.stringify(new URL('open-process.ts', import.meta.url).href)})
      await openProcess(${JSON.stringify({ argv, root, access: 'change' })}, { kind: '${kind}' })`
    const troupe = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'ignore', 'inherit'] })
    await until(() => existsSync(join(root, 'ready')))

    troupe.kill('SIGKILL')

    await until(async () => (await processesWith(`left\0${root}`)).length === 0)
  })

  test(`[M100] a program in ${kind} that is stopped before it runs, or cannot be started, says so`, async (t) => {
    const root = await testWorkspace(t)
    const stopped = openProcess({ argv: ['cat'], root, access: 'read', signal: AbortSignal.abort() }, { kind })
    const nowhere = openProcess({ argv: ['cat'], root: join(root, 'none'), access: 'read' }, { kind })

    const codes = await Promise.all([stopped, nowhere].map((opening) => opening.catch((error: unknown) => codeOf(error))))
    const unknown = await openProcess({ argv: ['no-such-program'], root, access: 'read' }, { kind })

    assert.deepEqual(codes, ['stopped', 'not_found'])
    assert.equal((await unknown.ended).exit_code, 127)
  })
}

test('[M100] without a sandbox a program is talked with only where commands may run without one', async (t) => {
  const root = await testWorkspace(t)
  const cases = [{ access: 'read' }, { access: 'throw_away', unsandboxed: true }, { access: 'change' }] as const

  const codes = await Promise.all(
    cases.map((more) => openProcess({ argv: ['touch', 'made'], root, ...more }, missing).catch((error: unknown) => codeOf(error))),
  )
  const allowed = await openProcess({ argv: ['cat'], root, access: 'change', unsandboxed: true }, missing)
  allowed.stdin.end('heard')

  assert.deepEqual(codes, ['sandbox_missing', 'sandbox_missing', 'sandbox_missing'])
  assert.deepEqual([await text(allowed.stdout), await readdir(root)], ['heard', []])
})

async function firstChunk(stdout: Readable): Promise<string> {
  const [chunk] = (await once(stdout, 'data')) as [Buffer] // a stream without an encoding hands on buffers
  stdout.pause()
  return chunk.toString()
}

function codeOf(error: unknown): unknown {
  return error instanceof Problem ? error.code : error
}
