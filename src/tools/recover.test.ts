import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { assertNone } from '../sandbox/test-none.ts'
import { parseApprove } from './approvals.ts'
import { recoverCall } from './gate.ts'
import { aCall, aTool, openTestGate } from './test-gate.ts'
import type { StartedCall } from './tool.ts'

const allowed = { approvals: parseApprove('delete_file=allow') }
const changes = [
  { tool: 'create_file', input: { path: 'new.txt', content: 'made' }, path: 'new.txt', after: 'made' },
  { tool: 'update_file', input: { path: 'a.txt', old_text: 'a', new_text: 'aa' }, path: 'a.txt', after: 'aa' },
  { tool: 'delete_file', input: { path: 'a.txt' }, path: 'a.txt', after: null },
]

for (const change of changes) {
  test(`[G22] a ${change.tool} that was cut off before it happened is done once`, async (t) => {
    const { gate, started } = await killedBefore(t, change)

    const first = await recoverCall(gate.context, started)
    const again = await recoverCall(gate.context, started)

    assert.deepEqual([first.outcome, again.outcome], ['ok', 'ok'])
    assert.equal(await contentOf(gate.root, change.path), change.after)
    assertNone(await readdir(gate.root), (name) => name.endsWith('.tmp'))
  })

  test(`[G22] a ${change.tool} whose file is neither as before nor as after is reported as interrupted`, async (t) => {
    const { gate, started } = await killedBefore(t, change)
    await writeFile(join(gate.root, change.path), 'someone else')

    const result = await recoverCall(gate.context, started)

    assert.equal(result.outcome, 'interrupted')
    assert.equal(await contentOf(gate.root, change.path), 'someone else')
  })
}

for (const change of changes) {
  test(
    `[G22, S33] a ${change.tool} in whose place a pipe lies now is reported as interrupted, not waited for`,
    { timeout: 60_000 },
    async (t) => {
      const { gate, started } = await killedBefore(t, change)
      const pipe = join(gate.root, change.path)
      await rm(pipe, { force: true })
      execFileSync('mkfifo', [pipe])
      t.after(() => letGo(pipe))

      const result = await recoverCall(gate.context, started)

      assert.equal(result.outcome, 'interrupted')
    },
  )
}

test('[G22] an approved deletion is finished after a crash, but not once the role was switched', async (t) => {
  const { gate, started } = await killedBefore(t, changes[2] ?? assert.fail())
  const asking = { approvals: parseApprove('ask') }
  const asked = await gate.as(asking).call('delete_file', { path: 'a.txt' })
  assert.ok(asked.ask)
  const approved: StartedCall = { ...started, approval: { ...asked.ask.approval, used_at: '2026-11-01T00:00:00Z' } }

  const planner = await recoverCall(gate.as({ ...asking, role: 'planner', permissions: ['read_files'] }).context, approved)
  const coder = await recoverCall(gate.as({ ...asking, role: 'coder' }).context, approved)
  const kept = await contentOf(gate.root, 'a.txt')
  const actor = await recoverCall(gate.as(asking).context, approved)

  assert.deepEqual([planner.outcome, coder.outcome, actor.outcome], ['interrupted', 'waiting', 'ok'])
  assert.equal(kept, 'a')
  await assert.rejects(access(join(gate.root, 'a.txt')))
})

test('[G23] a tool that may have changed something and cannot tell is not run again; a reading one is', async (t) => {
  const gate = await openTestGate(t)
  let runs = 0
  const run = async () => ({ output: `run ${++runs}` })
  const { context } = gate.as({ tools: [aTool('writes', run, ['write_files']), aTool('reads', run, ['read_files'])] })

  const writes = await recoverCall(context, { call: aCall('writes', {}), previewed: {}, approval: null })
  const reads = await recoverCall(context, { call: aCall('reads', {}), previewed: {}, approval: null })

  assert.deepEqual([writes.outcome, reads.output], ['interrupted', 'run 1'])
})

/** A gate whose process dies when the start of a call is on record and nothing else has happened. */
async function killedBefore(t: TestContext, { tool, input }: { tool: string; input: unknown }) {
  const gate = (await openTestGate(t, { 'a.txt': 'a' })).as(allowed)
  const lost: StartedCall[] = []
  const dying = gate.as({
    recordStart: async (call) => {
      lost.push(call)
      throw new Error('killed')
    },
  })
  await assert.rejects(dying.call(tool, input), /killed/)
  const [started] = lost
  assert.ok(started)
  const stored: StartedCall = structuredClone(started)
  return { gate, started: stored }
}

async function contentOf(root: string, path: string): Promise<string | null> {
  return readFile(join(root, path), 'utf8').catch(() => null)
}

/** Ends the wait of the one who reads from a pipe after all. */
function letGo(pipe: string): void {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
  } catch {
    // nobody does
  }
}
