import assert from 'node:assert/strict'
import { test } from 'node:test'
import { treeOf } from '../../tests/tree.ts'
import { loadRoles } from '../roles/load.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { noSandbox } from '../sandbox/test-no-sandbox.ts'
import { visiblePlace } from '../sandbox/test-workspace.ts'
import { openTestGate } from './test-gate.ts'

test('[S50] no built-in role writes, stays or connects beyond its workspace through the gate', { skip: noSandbox }, async (t) => {
  const sandbox = await detectSandbox()
  const roles = (await loadRoles({})).list()
  const gate = await openTestGate(t, { 'package.json': '{}' })
  const outside = await testFolder(t, visiblePlace)
  const lines = ['echo x > "$OUT/a"', 'setsid -f sh -c "exec sleep 900"', 'exec 3<>/dev/tcp/127.0.0.1/1 && echo out'].map((line) =>
    line.replace('$OUT', outside),
  )
  const before = await treeOf(gate.root)

  for (const role of roles) {
    const own = gate.as({ role: role.id, role_name: role.name, permissions: role.permissions, sandbox })
    for (const command of lines) {
      const { outcome } = await own.call('execute_command', { command })
      assert.equal(outcome === 'denied', !role.permissions.includes('execute_commands'), `${role.id}: ${outcome}`)
    }
  }

  assert.deepEqual([await treeOf(outside), await treeOf(gate.root)], [{}, before])
})
