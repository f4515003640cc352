import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommand } from './run-command.ts'
import type { Command } from './sandbox.ts'
import { kindsHere } from './test-actor.ts'
import { processesWith } from './test-processes.ts'
import { until } from './test-until.ts'
import { testWorkspace } from './test-workspace.ts'

/** Leaves its parent, its session and its group, ignores what can be ignored, and writes a beat as long as it lives. */
const survivor = `(setsid sh -c 'trap "" TERM HUP INT; while :; do echo >> beat; sleep 0.02; done' >/dev/null 2>&1 &)`
const untilBeat = 'while [ ! -s beat ]; do sleep 0.02; done'

/** Attaches to the first process it sees and has it forget to end with its parent; a program, because no shell can. */
const detach = fileURLToPath(new URL(`../../native/linux-${process.arch}/test-detach`, import.meta.url))
const skip = !existsSync(detach) && 'no such program for this architecture'

for (const kind of await kindsHere()) {
  test(`[S12] on timeout a command in ${kind} ends with every process it started, whatever they ignore`, async (t) => {
    const root = await testWorkspace(t)
    const command: Command = { argv: ['sh', '-c', `trap "" TERM; ${survivor}; sleep 600`], root, access: 'change', timeoutMs: 3000 }

    const result = await runCommand(command, { kind })

    assert.equal(result.ended, 'timed_out')
    assert.equal(result.exit_code, null)
    assert.ok(existsSync(join(root, 'beat')))
    await fallsSilent(root)
  })

  test(`[S12] a stopped command in ${kind} ends with every process it started`, async (t) => {
    const root = await testWorkspace(t)
    const controller = new AbortController()
    const running = runCommand(
      { argv: ['sh', '-c', `${survivor}; sleep 600`], root, access: 'change', signal: controller.signal },
      { kind },
    )
    await until(() => existsSync(join(root, 'beat')))

    controller.abort()

    assert.equal((await running).ended, 'stopped')
    await fallsSilent(root)
  })

  test(`[S12] when a command in ${kind} is done, what it left running is gone`, async (t) => {
    const root = await testWorkspace(t)

    const result = await runCommand({ argv: ['sh', '-c', `${survivor}; ${untilBeat}; exit 7`], root, access: 'change' }, { kind })

    assert.deepEqual([result.ended, result.exit_code], ['exited', 7])
    await fallsSilent(root)
  })

  test(`[S12] when Troupe itself is killed, a command in ${kind} dies with it`, async (t) => {
    const root = await testWorkspace(t)
    const troupe = await startTroupe(kind, { argv: ['sh', '-c', `${survivor}; sleep 600`], root, access: 'change' })
    await until(() => existsSync(join(root, 'beat')))

    troupe.kill('SIGKILL')

    await fallsSilent(root)
  })

  // Where there is no filter there is no program of ours either, and bubblewrap is the only kind.
  for (const filtered of kind === 'bubblewrap' ? [true, false] : [true]) {
    const under = filtered ? 'under the filter' : 'where there is no filter'
    test(`[S12] a command that bends the first process of ${kind} ${under} still ends, on timeout and with Troupe`, { skip }, async (t) => {
      const root = await testWorkspace(t)
      copyFileSync(detach, join(root, 'detach'))
      const argv = ['sh', '-c', `(setsid ./detach beat >/dev/null 2>&1 &); sleep 600`] as const
      const isBeating = () => until(() => existsSync(join(root, 'beat')))

      const timed = await startTroupe(kind, { argv: [...argv], root, access: 'change', timeoutMs: 3000 }, filtered)
      const ended = once(timed, 'exit')
      await isBeating()
      await ended
      await fallsSilent(root)
      rmSync(join(root, 'beat'))
      const killed = await startTroupe(kind, { argv: [...argv], root, access: 'change' }, filtered)
      await isBeating()
      killed.kill('SIGKILL')

      await fallsSilent(root)
    })
  }

  test(`[S12] killed at any moment of the start, Troupe leaves no process of ${kind} behind`, async (t) => {
    const root = await testWorkspace(t)

    for (const access of ['change', 'throw_away'] as const) {
      for (const delay of [0, 3, 6, 9, 12, 16, 20, 30, 50, 80]) {
        const troupe = await startTroupe(kind, { argv: ['sh', '-c', 'sleep 600; exit', root], root, access })
        const ended = once(troupe, 'exit')
        await sleep(delay)
        troupe.kill('SIGKILL')
        assert.deepEqual(await ended, [null, 'SIGKILL'])
      }
    }

    await until(async () => (await processesWith(root)).length === 0)
  })
}

/** Another process of ours that starts the command and says so right before it does. */
async function startTroupe(kind: string, command: Command, filtered = true) {
  const program = `
    ${filtered ? '' : "Object.defineProperty(process, 'arch', { value: 'another' })"}
    const { runCommand } = await import(${JSON.stringify(new URL('run-command.ts', import.meta.url).href)})
    const { overlayWorks } = await import(${JSON.stringify(new URL('detect.ts', import.meta.url).href)})
    await overlayWorks('${kind}')
    process.stdout.write('starting')
    await runCommand(${JSON.stringify(command)}, { kind: '${kind}' })`
  const troupe = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(troupe.stdout, 'data')
  return troupe
}

/** Passes once nothing has been written for a while; a survivor writes fifty times in that while. */
async function fallsSilent(root: string): Promise<void> {
  const size = () => statSync(join(root, 'beat')).size
  await until(async () => {
    const before = size()
    await sleep(1000)
    return size() === before
  })
}
