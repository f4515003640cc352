import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unbounded } from '../domain/bounds.ts'
import type { Permission } from '../domain/permission.ts'
import { each } from '../domain/test-each.ts'
import { allTools } from './all.ts'
import { authorize, toolsFor, type ActingRole } from './authorize.ts'
import { combineApprovals, parseApprove } from './approvals.ts'
import { explain } from './judge.ts'
import { aTool, openTestGate } from './test-gate.ts'
import type { Tool } from './tool.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'

const none: ActingRole['sandbox'] = { kind: 'none', reason: 'not installed', fix: 'apt install bubblewrap' }

test('[G1] a role may call a tool only with every permission it needs', () => {
  const tool = needing(['read_files', 'write_files'])
  const held: Permission[][] = [['read_files'], ['write_files'], ['read_files', 'write_files']]

  const verdicts = held.map((permissions) => authorize(aSubject(permissions), tool).verdict)

  assert.deepEqual(verdicts, ['deny', 'deny', 'allow'])
})

test('[G2] read_only is derived from what a tool needs', () => {
  const flags = [needing(['read_files']), needing(['read_files', 'write_files']), needing(['execute_commands']), needing([])].map(
    (tool) => tool.read_only,
  )

  assert.deepEqual(flags, [true, false, false, false])
})

test('[G3] a tool that declares no permission is refused to everyone', () => {
  const decision = authorize(
    {
      ...aSubject(['read_files', 'write_files', 'create_files', 'delete_files', 'execute_commands']),
      approvals: parseApprove('tool=allow'),
    },
    needing([]),
  )

  assert.deepEqual([decision.verdict, decision.rule], ['deny', 'nothing_declared'])
})

test('[G4] a Planner is told of the reading tools and of nothing else', () => {
  const offered = toolsFor(aSubject(['read_files']), allTools)

  assert.ok(offered.length > 0 && offered.every((tool) => tool.read_only))
  assert.ok(allTools.filter((tool) => tool.read_only && tool.network !== true).every((tool) => offered.includes(tool)))
})

test('[G8] a tool for some roles is refused to others, whatever their permissions', () => {
  const tool = needing(['read_files'], { roles: ['supervisor'] })

  const decision = authorize(aSubject(['read_files', 'write_files']), tool)

  assert.deepEqual([decision.verdict, decision.rule], ['deny', 'tool_roles'])
  assert.equal(authorize({ ...aSubject(['read_files']), role: 'supervisor' }, tool).verdict, 'allow')
})

test('[G8] a tool for roles that only read is refused to one that may change something', () => {
  const tool = needing(['read_files'], { mode: 'plan' })

  const verdicts = [authorize(aSubject(['read_files']), tool), authorize(aSubject(['read_files', 'create_files']), tool)]

  assert.deepEqual(each(verdicts, 'verdict'), ['allow', 'deny'])
})

test('[G11] role boundary comes before deny, deny before ask, ask before allow, allow before default', () => {
  const held = aSubject(['read_files', 'write_files'])
  const tool = needing(['read_files', 'write_files'], { asks: true })
  const rules = [
    authorize({ ...aSubject(['read_files']), approvals: parseApprove('tool=allow') }, tool),
    authorize(
      { ...held, approvals: combineApprovals(parseApprove('tool=allow'), parseApprove('tool=deny'), parseApprove('tool=ask')) },
      tool,
    ),
    authorize({ ...held, approvals: combineApprovals(parseApprove('tool=allow'), parseApprove('tool=ask')) }, tool),
    authorize({ ...held, approvals: parseApprove('tool=allow') }, tool),
    authorize(held, tool),
  ].map(({ verdict, rule }) => `${verdict} by ${rule}`)

  assert.deepEqual(rules, [
    'deny by role_permissions',
    'deny by setting_deny',
    'ask by setting_ask',
    'allow by setting_allow',
    'ask by asks_by_default',
  ])
})

test('[G12] of several settings the strictest wins, in whatever order they come', () => {
  const [config, chat, flag] = [
    parseApprove('a=allow,b=allow,c=deny'),
    parseApprove('a=ask,c=allow'),
    parseApprove('a=allow, b=allow'),
  ] as const

  const combined = combineApprovals(config, chat, flag)

  assert.deepEqual(combined, { tools: { a: 'ask', b: 'allow', c: 'deny' }, never_ask: false })
  assert.deepEqual(combineApprovals(flag, chat, config), combined)
  assert.throws(() => parseApprove('delete_file=yes'), /cannot be read: "delete_file=yes"; they take ask, never, or TOOL=allow\|ask\|deny/)
})

test('[G16] where nobody is to be asked, what would be asked is refused', () => {
  const decision = authorize(
    { ...aSubject(['read_files', 'write_files']), approvals: parseApprove('never') },
    needing(['write_files'], { asks: true }),
  )

  assert.deepEqual([decision.verdict, decision.rule], ['deny', 'nobody_to_ask'])
})

test('[G17] explain names the rule, and gives the same decision as the gate', async (t) => {
  const gate = await openTestGate(t)
  const calls = [
    ['delete_file', { path: 'a' }, 'asks_by_default'],
    ['read_file', { path: '../a' }, 'path_refused'],
    ['read_file', { path: 1 }, 'bad_input'],
    ['no_such_tool', {}, 'unknown_tool'],
    ['list_directory', {}, 'default'],
  ] as const

  for (const [tool, input, rule] of calls) {
    const explained = await explain(gate.context, tool, input)

    assert.equal(explained.rule, rule)
    assert.deepEqual((await gate.call(tool, input)).decision, explained)
  }
  assert.equal((await explain(gate.context, 'delete_file')).rule, 'asks_by_default')
})

function aSubject(held: readonly Permission[]): ActingRole {
  const settled = { approvals: { tools: {}, never_ask: false }, commands: commandSettingsWith(), sandbox: none }
  return { role: 'tested', permissions: held, bounds: unbounded, plan: null, ...settled }
}

function needing(permissions: readonly Permission[], more?: Parameters<typeof aTool>[3]): Tool {
  return aTool('tool', async () => ({ output: '' }), permissions, more)
}
