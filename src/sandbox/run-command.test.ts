import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { Problem } from '../domain/problem.ts'
import { detectSandbox } from './detect.ts'
import { runCommand } from './run-command.ts'
import type { SandboxState, WorkspaceAccess } from './sandbox.ts'
import { kindsHere } from './test-actor.ts'
import { testWorkspace } from './test-workspace.ts'

const missing: SandboxState = { kind: 'none', reason: 'nothing works here', fix: 'install something' }

test('[S1] a machine is judged by trying, and the answer names a kind or says what would fix it', async () => {
  const state = await detectSandbox()

  assert.ok(state.kind !== 'none' || (state.reason !== '' && state.fix !== ''))
  assert.equal(await detectSandbox(), state)
  assert.equal(state.kind, (await kindsHere())[0] ?? 'none')
})

test('[S2] without a sandbox nothing runs, and the refusal says why and what to do', async (t) => {
  const root = await testWorkspace(t)
  const cases = [{ access: 'read' }, { access: 'throw_away' }, { access: 'throw_away', unsandboxed: true }, { access: 'change' }] as const

  const answers = await Promise.allSettled(cases.map((more) => runCommand({ argv: ['touch', 'made'], root, ...more }, missing)))

  for (const answer of answers) {
    assert.ok(answer.status === 'rejected' && answer.reason instanceof Problem)
    assert.equal(answer.reason.code, 'sandbox_missing')
    assert.match(answer.reason.message, /nothing works here.*install something/)
  }
  assert.deepEqual(await readdir(root), [])
})

test('[S2] without a sandbox a command that may change everything runs bare once the user allowed it', async (t) => {
  const root = await testWorkspace(t)

  const result = await runCommand({ argv: ['touch', 'made'], root, access: 'change', unsandboxed: true }, missing)

  assert.equal(result.exit_code, 0)
  assert.deepEqual(await readdir(root), ['made'])
})

for (const [access, left] of [
  ['change', ['kept', 'made']],
  ['throw_away', ['kept']],
  ['read', ['kept']],
] satisfies [WorkspaceAccess, string[]][]) {
  test(`[S3, S4, S5] after a command with access ${access} the workspace holds what it may`, async (t) => {
    const root = await testWorkspace(t, { kept: 'text' })

    const result = await runCommand({ argv: ['sh', '-c', 'touch made && ls'], root, access }, await detectSandbox())

    assert.equal(result.stdout, access === 'read' ? '' : 'kept\nmade\n')
    assert.deepEqual((await readdir(root)).toSorted(), left)
  })
}
