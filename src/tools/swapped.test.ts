import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { testFolder } from '../sandbox/test-folder.ts'
import { openTestGate } from './test-gate.ts'

test('[S20, G25] a link that is put in the place of what is being written changes neither mode nor owner of a file outside', async (t) => {
  const gate = await openTestGate(t, { 'a.txt': 'a\n' })
  const outside = join(await testFolder(t), 'outside')
  fs.writeFileSync(outside, 'outside\n', { mode: 0o600 })
  fs.chmodSync(outside, 0o600)
  fs.chmodSync(join(gate.root, 'a.txt'), 0o777)
  if (process.getuid?.() === 0) fs.chownSync(join(gate.root, 'a.txt'), 65534, 65534)
  const before = fs.statSync(outside)
  let swaps = 0
  beforeModeIsSet(t, () => {
    for (const name of fs.readdirSync(gate.root).filter((found) => found.endsWith('.tmp'))) {
      fs.rmSync(join(gate.root, name))
      fs.symlinkSync(outside, join(gate.root, name))
      swaps++
    }
  })

  const result = await gate.call('update_file', { path: 'a.txt', old_text: 'a', new_text: 'b' })

  const after = fs.statSync(outside)
  assert.ok(swaps > 0)
  assert.deepEqual([after.mode, after.uid, after.gid], [before.mode, before.uid, before.gid])
  assert.equal(fs.readFileSync(outside, 'utf8'), 'outside\n')
  assert.equal(result.outcome, 'error')
  assert.equal(fs.readFileSync(join(gate.root, 'a.txt'), 'utf8'), 'a\n')
  assert.deepEqual(fs.readdirSync(gate.root), ['a.txt'])
})

/** Has this done just before any mode or owner is set, however it is: a racing process could do so at that very moment. */
function beforeModeIsSet(t: TestContext, swap: () => void): void {
  for (const name of ['chmodSync', 'chownSync', 'fchmodSync', 'fchownSync', 'lchownSync'] as const) {
    const original = fs[name] as (...args: never[]) => void
    t.mock.method(fs, name, (...args: never[]) => {
      swap()
      original(...args)
    })
  }
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
}
