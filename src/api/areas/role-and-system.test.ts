import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each } from '../../domain/test-each.ts'
import { serveForTest } from '../test-server.ts'

test('[C40] the roles are listed with the permissions and the tools that are enforced', async (t) => {
  const server = await serveForTest(t)

  const { roles } = (await server.send('GET', '/api/role/list')).body

  const [planner, commander] = ['planner', 'commander'].map((id) => roles.find((role: { id: string }) => role.id === id))
  assert.equal(roles.length, 10)
  assert.deepEqual(planner.permissions, {
    can_read_files: true,
    can_write_files: false,
    can_delete_files: false,
    can_execute_commands: false,
    can_create_files: false,
  })
  assert.equal(planner.mode, 'plan')
  assert.ok(planner.tools.includes('read_file') && !planner.tools.includes('delete_file'))
  assert.ok(commander.tools.includes('delegate'))
  assert.ok(!('instructions' in planner))
})

test('[C40] the tools of a role, and why a call of it is refused, are the gate’s own answer', async (t) => {
  const server = await serveForTest(t)

  const all = (await server.send('GET', '/api/role/list_tools')).body.tools
  const some = (await server.send('GET', '/api/role/list_tools?role=planner')).body.tools
  const [refused, asked, delegated] = await Promise.all(
    ['planner&tool=delete_file', 'actor&tool=delete_file', 'commander&tool=delegate'].map(
      async (call) => (await server.send('GET', `/api/role/explain?role=${call}`)).body,
    ),
  )

  assert.ok(some.length < all.length && some.every((tool: { read_only: boolean }) => tool.read_only))
  assert.deepEqual([refused.verdict, refused.rule], ['deny', 'role_permissions'])
  assert.deepEqual([asked.verdict, asked.rule], ['ask', 'asks_by_default'])
  assert.deepEqual([delegated.verdict, delegated.reason], ['allow', 'commander may delegate to planner, actor'])
})

test('[C40] an unknown role and arguments that are no JSON are refused by name', async (t) => {
  const server = await serveForTest(t)

  const role = await server.send('GET', '/api/role/list_tools?role=plannr')
  const input = await server.send('GET', '/api/role/explain?role=planner&tool=read_file&arguments=%7B')

  assert.equal(role.status, 404)
  assert.match(role.body.error.message, /did you mean planner/)
  assert.deepEqual([input.status, input.body.error.code], [400, 'bad_input'])
})

test('[C40] the status says what the server runs on', async (t) => {
  const server = await serveForTest(t)

  const status = (await server.send('GET', '/api/system/status')).body

  assert.deepEqual([status.version, status.rehearsal, status.sandbox, status.store], ['1.2.3', true, 'bubblewrap', 'sqlite'])
})

test('[C141] the doctor finds the same over HTTP, and suggests operations instead of commands', async (t) => {
  const server = await serveForTest(t)

  const { status, body } = await server.send('GET', '/api/system/doctor')

  const looks = ['troupe', 'node', 'git', 'sandbox', 'search', 'configuration', 'roles', 'store', 'keys', 'model', 'port', 'files']
  assert.equal(status, 200)
  assert.deepEqual(each(body.findings, 'what'), looks)
  assert.doesNotMatch(JSON.stringify(body), /troupe (config|roles|export|import|serve)/)
})
