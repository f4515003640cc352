import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { permissions, rolePermissions } from '../domain/permission.ts'
import { modeOf } from '../domain/role.ts'
import { rowsOf } from '../domain/test-each.ts'
import { loadRoles } from './load.ts'

const roles = await loadRoles({})
const drawn = readFileSync(join(import.meta.dirname, '../../web/ui/role/role-icon.tsx'), 'utf8')

const reads = ['read_files']
const runs = ['read_files', 'execute_commands']
// oxfmt-ignore
const table = [
  { id: 'actor',         held: [...permissions],                mode: 'act' },
  { id: 'code_reviewer', held: runs,                            mode: 'act' },
  { id: 'coder',         held: [...permissions],                mode: 'act' },
  { id: 'commander',     held: reads,                           mode: 'plan' },
  { id: 'designer',      held: ['read_files', 'create_files'],  mode: 'act' },
  { id: 'planner',       held: reads,                           mode: 'plan' },
  { id: 'reviewer',      held: reads,                           mode: 'plan' },
  { id: 'supervisor',    held: runs,                            mode: 'act' },
  { id: 'tester',        held: runs,                            mode: 'act' },
  { id: 'worker',        held: [...permissions],                mode: 'act' },
]

test('[R6] each of the ten built-in roles has exactly the permissions of its purpose', () => {
  const seen = roles.list().map((role) => ({ id: role.id, held: role.permissions, mode: modeOf(role) }))

  assert.deepEqual(seen, table)
})

test('[R6] Planner and Actor carry the permission set of the specification on the wire', () => {
  const [planner, actor] = ['planner', 'actor'].map((id) => rolePermissions(roles.need(id).permissions))

  assert.deepEqual(
    Object.entries(planner ?? {}).filter(([, may]) => may),
    [['can_read_files', true]],
  )
  assert.deepEqual(Object.values(actor ?? {}), [true, true, true, true, true])
})

test('[R6] only the Commander delegates, and only to Planner and Actor', () => {
  const delegating = roles.list().filter((role) => role.can_delegate_to_roles.length > 0)

  assert.deepEqual(rowsOf(delegating, 'id', 'can_delegate_to_roles'), [['commander', ['planner', 'actor']]])
})

test('[R7] every built-in role has its own prompt, model, colour and an icon that can be drawn', () => {
  const all = roles.list()

  assert.equal(new Set(all.map((role) => role.instructions)).size, all.length)
  assert.equal(new Set(all.map((role) => role.color)).size, all.length)
  for (const role of all) {
    assert.equal(role.llm_model, 'default')
    assert.match(drawn, new RegExp(`^  '?${role.icon}'?: `, 'm'), `${role.id} has the icon ${role.icon}`)
    assert.ok(role.examples.some((example) => example.expect === 'allowed') && role.examples.some((example) => example.expect === 'denied'))
  }
})

test('[R7] the Planner is blue with a magnifying glass, the Actor green with a lightning bolt', () => {
  const looks = ['planner', 'actor'].map((id) => roles.need(id)).map(({ color, icon }) => ({ color, icon }))

  assert.deepEqual(looks, [
    { color: 'blue', icon: 'search' },
    { color: 'green', icon: 'zap' },
  ])
})

test('[R22] a chat without a role is an Actor with every permission', () => {
  for (const absent of [undefined, null]) {
    const { role, warning } = roles.resolve(absent)

    assert.equal(role.id, 'actor')
    assert.deepEqual(role.permissions, [...permissions])
    assert.equal(warning, null)
  }
})

test('[R23] a chat with an unknown role keeps its text, may only read, and says so', () => {
  for (const text of ['Actor', 'deployer', '', '__proto__', 'x\u001b[2J']) {
    const { role, warning } = roles.resolve(text)

    assert.equal(role.id, text)
    assert.deepEqual(role.permissions, ['read_files'])
    assert.deepEqual(role.can_delegate_to_roles, [])
    assert.match(warning ?? '', /^there is no role .+: this chat may only read until/)
    assert.equal(warning?.includes('\u001b'), false)
  }
})
