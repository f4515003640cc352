import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import * as z from 'zod'
import { changePermissions } from '../domain/permission.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { recoverCall } from './gate.ts'
import { aCall, openTestGate, type TestGate } from './test-gate.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'

const Proven = z.object({ unchanged: z.boolean(), changed: z.array(z.string()) })

test('[G37] a role with all three change permissions changes the workspace by a command', async (t) => {
  const gate = await openSandboxedGate(t, { 'a.txt': 'a' })

  const result = await gate.call('execute_command', { command: 'mkdir -p out && cat a.txt > out/b.txt && echo done' })

  assert.deepEqual([result.outcome, result.output], ['ok', 'exit code 0\ndone'])
  assert.deepEqual([result.details.access, result.details.exit_code], ['change', 0])
  assert.equal(await readFile(join(gate.root, 'out/b.txt'), 'utf8'), 'a')
})

test('[G37] a role that lacks any one of them works on a layer that is thrown away', async (t) => {
  const gate = await openSandboxedGate(t, { 'a.txt': 'a', 'b.txt': 'b' })

  for (const lacking of changePermissions) {
    const permissions = gate.context.permissions.filter((permission) => permission !== lacking)
    const command = 'echo x > a.txt; rm b.txt; touch new; cat a.txt; ls | wc -l'
    const result = await gate.as({ role: 'tester', permissions }).call('execute_command', { command })

    assert.deepEqual([result.output, result.details.access], ['exit code 0\nx\n2', 'throw_away'])
    assert.equal(await readFile(join(gate.root, 'a.txt'), 'utf8'), 'a')
    assert.deepEqual((await readdir(gate.root)).toSorted(), ['a.txt', 'b.txt'])
  }
})

test('[G38] a workspace that changes under such a command is told by name, and the command fails', async (t) => {
  const gate = await openSandboxedGate(t, { 'a.txt': 'a' })
  const tester = gate.as({
    role: 'tester',
    permissions: ['read_files', 'execute_commands'],
    onOutput: () => writeFileSync(join(gate.root, 'a.txt'), 'saved by someone'),
  })

  const quiet = await tester.call('execute_command', { command: 'true' })
  const disturbed = await tester.call('execute_command', { command: 'echo now' })

  assert.deepEqual([quiet.outcome, disturbed.outcome], ['ok', 'error'])
  assert.match(disturbed.output, /^the workspace changed while this command ran.*: a\.txt\nexit code 0\nnow$/)
  assert.deepEqual(Proven.parse(quiet.details.proof), { unchanged: true, changed: [] })
  assert.deepEqual(Proven.parse(disturbed.details.proof), { unchanged: false, changed: ['a.txt'] })
})

test('[G37] a failing command is an error with its exit code and both outputs, and a folder to run in is checked', async (t) => {
  const gate = await openSandboxedGate(t, { 'sub/a.txt': 'a' })

  const failing = await gate.call('execute_command', { command: 'pwd; echo oops >&2; exit 3', cwd: 'sub' })
  const outside = await gate.call('execute_command', { command: 'pwd', cwd: '..' })

  assert.deepEqual([failing.outcome, failing.output], ['error', `exit code 3\n${gate.root}/sub\nstderr:\noops`])
  assert.equal(outside.outcome, 'denied')
})

test('[G37] a command ends at its time limit, and a stopped one is interrupted with what it said', async (t) => {
  const gate = await openSandboxedGate(t)
  const stop = new AbortController()
  const stoppable = gate.as({ signal: stop.signal, onOutput: () => stop.abort() })

  const late = await gate.call('execute_command', { command: 'sleep 1000', timeout_seconds: 1 })
  const stopped = await stoppable.call('execute_command', { command: 'echo begun; sleep 1000' })

  assert.deepEqual([late.outcome, late.output], ['error', 'stopped at its time limit'])
  assert.deepEqual([stopped.outcome, stopped.output], ['interrupted', 'stopped\nbegun'])
})

test('[G28] the output of a command is bounded', async (t) => {
  const gate = await openSandboxedGate(t)

  const { output, details } = await gate.call('execute_command', {
    command: 'echo first; head -c 1000000 /dev/zero | tr "\\0" x; echo; echo last',
  })

  assert.ok(output.length < 70_000)
  assert.match(output, /^exit code 0\nfirst\nx+\n\[… \d+ bytes cut …\]\nx+\nlast$/)
  assert.ok(Number(details.cut_bytes) > 900_000)
})

test('[G23] a command that was cut off is reported and not run again', async (t) => {
  const gate = await openSandboxedGate(t)

  const result = await recoverCall(gate.context, {
    call: aCall('execute_command', { command: 'touch again' }),
    previewed: {},
    approval: null,
  })

  assert.equal(result.outcome, 'interrupted')
  assert.match(result.output, /execute_command was cut off and was not run again/)
  assert.deepEqual(await readdir(gate.root), [])
})

test('[G39] without a sandbox a role that cannot change everything gets no command, others only by leave of the user', async (t) => {
  const gate = await openTestGate(t)
  const tester = gate.as({
    role: 'tester',
    permissions: ['read_files', 'execute_commands'],
    commands: commandSettingsWith({ unsandboxed: true }),
  })

  const refused = await tester.call('execute_command', { command: 'touch a' })
  const actor = await gate.call('execute_command', { command: 'touch b' })
  const allowed = await gate.as({ commands: commandSettingsWith({ unsandboxed: true }) }).call('execute_command', { command: 'touch c' })

  assert.deepEqual(
    [refused.outcome, refused.decision.rule, actor.decision.rule, allowed.outcome],
    ['denied', 'no_sandbox', 'no_sandbox', 'ok'],
  )
  assert.match(
    refused.output,
    /there is no sandbox here \(none was looked for\) and it lacks write_files, create_files, delete_files; to get one: install bubblewrap/,
  )
  assert.deepEqual(await readdir(gate.root), ['c'])
})

test('[G67] a command that fails for want of network or rights says so: which host, which path', async (t) => {
  const gate = await openSandboxedGate(t, { 'a.txt': 'a' })
  if (gate.context.sandbox.kind === 'none') return t.skip('there is no sandbox here')
  const look = `"${process.execPath}" -e "require('dns').lookup('registry.example.org', (e) => { throw e })"`

  const network = await gate.call('execute_command', { command: look })
  const rights = await gate.call('execute_command', { command: 'mkdir /usr/mine' })
  const neither = await gate.call('execute_command', { command: 'cat none' })

  assert.match(network.output, /no network: this command needs registry\.example\.org/)
  assert.match(rights.output, /no rights: \/usr\/mine is outside the workspace/)
  assert.deepEqual([network.details.kept_from, neither.details.kept_from], [{ hosts: ['registry.example.org'], paths: [] }, undefined])
})

async function openSandboxedGate(t: TestContext, files: Record<string, string> = {}): Promise<TestGate> {
  return (await openTestGate(t, files)).as({ sandbox: await detectSandbox() })
}
