import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from '../test-account.ts'

const investigator = `---
name: Investigator
description: Runs things to find out.
llm_model: default
permissions: [read_files, execute_commands]
examples:
  - { tool: read_file, input: { path: README.md }, expect: allowed }
  - { tool: create_file, input: { path: a.txt, content: x }, expect: denied }
---
Find out.
`

test('[R34] roles list tells of every role what it may do, its tools and where it was read', async (t) => {
  const account = await anAccount(t)
  await account.write('.config/troupe/roles/investigator.md', investigator)

  const { stdout, code } = await account.troupe('roles', 'list', '--json')
  const text = await account.troupe('roles')

  const { roles } = JSON.parse(stdout)
  const planner = roles.find((role: { id: string }) => role.id === 'planner')
  const own = roles.find((role: { id: string }) => role.id === 'investigator')
  assert.equal(code, 0)
  assert.equal(roles.length, 11)
  assert.deepEqual([planner.mode, planner.permissions.can_read_files, planner.permissions.can_write_files], ['plan', true, false])
  assert.ok(planner.tools.includes('read_file') && !planner.tools.includes('update_file'))
  assert.equal(own.source, 'user')
  assert.match(text.stdout, /^planner +plan +read +built-in +Reads, discusses and plans/m)
})

test('[R34] roles show gives the prompt, and a mistyped id is answered with the nearest', async (t) => {
  const account = await anAccount(t)

  const shown = await account.troupe('roles', 'show', 'commander', '--json')
  const wrong = await account.troupe('roles', 'show', 'comander')

  const commander = JSON.parse(shown.stdout)
  assert.match(commander.prompt, /^You are operating in COMMANDER role/)
  assert.deepEqual(commander.can_delegate_to_roles, ['planner', 'actor'])
  assert.equal(commander.ceiling.length, 5)
  assert.deepEqual([wrong.code, wrong.stderr], [42, 'troupe: there is no role comander; did you mean commander?\n'])
})

test('[N24] roles show says whom a role reaches and which paths it changes and sees', async (t) => {
  const account = await anAccount(t)
  const bounds = 'network: [example.org]\nwrite_paths: [docs/**]\nread_paths: [docs/**, src/**]\nllm_model'
  await account.write('.config/troupe/roles/writer.md', investigator.replace('Investigator', 'Writer').replace('llm_model', bounds))

  const [writer, planner] = [await account.troupe('roles', 'show', 'writer'), await account.troupe('roles', 'show', 'planner')]

  assert.match(writer.stdout, /^network +of what the settings allow only example\.org$/m)
  assert.match(writer.stdout, /^changes only +docs\/\*\*$/m)
  assert.match(writer.stdout, /^sees only +docs\/\*\*, src\/\*\*$/m)
  assert.match(planner.stdout, /^network +none$/m)
  assert.doesNotMatch(planner.stdout, /^changes only/m)
})

test('[R34] a bad role file stops the command with file, line and what would be right', async (t) => {
  const account = await anAccount(t)
  const file = await account.write('project/.troupe/roles/planner.md', investigator.replace('Investigator', 'Planner'))

  const { code, stderr } = await account.troupe('roles', 'list')

  assert.deepEqual(
    [code, stderr],
    [42, `troupe: ${file}:5: permissions: found execute_commands; expected no more than planner had: read_files\n`],
  )
})

test('[R35] the examples of the built-in roles all hold', async (t) => {
  const account = await anAccount(t)

  const { code, stdout } = await account.troupe('roles', 'check', '--json')

  const { ok, files } = JSON.parse(stdout)
  assert.deepEqual([code, ok, files.length], [0, true, 10])
})

test('[R35] roles check reports every fault and every example that is decided otherwise', async (t) => {
  const account = await anAccount(t)
  const examples = ['{ tool: update_file, input: { path: a, old_text: a, new_text: b }, expect: allowed }', '{ tool: fly, expect: denied }']
  const liar = await account.write('liar.md', investigator.replace('examples:', `examples:\n  - ${examples.join('\n  - ')}`))
  const broken = await account.write('broken.md', investigator.replace('permissions', 'permisions'))

  const text = await account.troupe('roles', 'check', liar, broken)
  const json = await account.troupe('roles', 'check', liar, broken, '--json')

  assert.equal(text.code, 42)
  assert.match(text.stdout, /liar\.md: investigator: update_file .* should be allowed and was denied: .*needs write_files/)
  assert.match(text.stdout, /broken\.md:5: permisions: .*expected permissions/)
  assert.match(text.stderr, /2 of 2 role files are wrong: 1 fault, 2 examples/)
  const { files } = JSON.parse(json.stdout).error.details
  assert.deepEqual(
    files[0].examples.filter(({ ok }: { ok: boolean }) => !ok).map(({ tool, got }: { tool: string; got: string }) => [tool, got]),
    [
      ['update_file', 'denied'],
      ['fly', 'impossible'],
    ],
  )
  assert.equal(files.length, 2)
})

test('[R41] a model whose provider nobody knows is refused by the check, and told of by the doctor and where an agent begins', async (t) => {
  const account = await anAccount(t)
  const bare = { name: 'Quick', description: 'Looks.', instructions: 'Look.', llm_model: 'house-model' }
  const file = await account.write('.config/troupe/roles/quick.json', JSON.stringify(bare))

  const checked = await account.troupe('roles', 'check', file)
  const doctor = await account.troupe('doctor')
  const begun = await account.troupe('run', '--model', 'rehearsal', 'say it')

  await account.write('.config/troupe/config.yaml', 'models:\n  house-*: ollama\n')
  const known = await account.troupe('roles', 'check', file)

  assert.deepEqual([checked.code, begun.code, known.code], [42, 0, 0])
  assert.match(
    checked.stdout,
    /quick\.json:1: llm_model: found "house-model"; expected a model whose provider is known; write provider\/model/,
  )
  for (const { stdout, stderr } of [doctor, begun])
    assert.match(stdout + stderr, /the role quick cannot be played: no provider is known for its model "house-model"/)
})

test('[R14] the check refuses a delegation to nobody; files that are given together may name each other', async (t) => {
  const account = await anAccount(t)
  const lead = await account.write('lead.md', investigator.replace('permissions', 'can_delegate_to_roles: [Scout, Planner]\npermissions'))
  const scout = await account.write('scout.md', investigator.replace(/name: .*/, 'name: Scout'))

  const alone = await account.troupe('roles', 'check', lead)
  const together = await account.troupe('roles', 'check', lead, scout)

  assert.deepEqual([alone.code, together.code], [42, 0])
  assert.match(alone.stdout, /lead\.md:\d+: can_delegate_to_roles\.0: found "scout"; expected a role that exists/)
})

test('[R36] roles explain names the rule and the reason, with and without arguments', async (t) => {
  const account = await anAccount(t)

  const tool = await account.troupe('roles', 'explain', 'planner', 'update_file', '--json')
  const call = await account.troupe('roles', 'explain', 'actor', 'read_file', 'path=../secret', '--json')
  const started = await account.troupe('roles', 'explain', 'commander', 'delegate', '{"role":"tester","task":"x"}')

  const { allowed, rule, missing_permissions } = JSON.parse(tool.stdout)
  assert.deepEqual(
    { allowed, rule, missing_permissions },
    { allowed: false, rule: 'role_permissions', missing_permissions: ['write_files'] },
  )
  assert.equal(JSON.parse(call.stdout).rule, 'path_refused')
  assert.match(started.stdout, /^commander may not call delegate\n.*\nwhy +Commander may not delegate to tester/)
})

test('[R36] arguments that are none are refused with how to write them', async (t) => {
  const account = await anAccount(t)

  const word = await account.troupe('roles', 'explain', 'actor', 'read_file', 'README.md')
  const json = await account.troupe('roles', 'explain', 'actor', 'read_file', '{"path":')

  assert.deepEqual([word.code, json.code], [42, 42])
  assert.match(word.stderr, /"README.md" is not an argument; write \{"path":"README.md"\} or path=README.md/)
})

test('[R37] roles trust gives a project’s new role its rights', async (t) => {
  const account = await anAccount(t)
  const file = await account.write('project/.troupe/roles/investigator.md', investigator)

  const before = await account.troupe('roles', 'list')
  const trusted = await account.troupe('roles', 'trust', file)
  const after = await account.troupe('roles', 'list')

  assert.match(before.stderr, /investigator only reads, without execute_commands, until you trust .*\. Try: troupe roles trust /)
  assert.match(before.stdout, /^investigator +plan +read +project/m)
  assert.equal(trusted.code, 0)
  assert.match(after.stdout, /^investigator +act +read execute +project/m)
  assert.equal(after.stderr, '')
})

test('[R13] where an agent begins it is told which roles are not trusted yet, and where somebody only looks it is not', async (t) => {
  const account = await anAccount(t)
  await account.write('project/.troupe/roles/investigator.md', investigator)

  const [looked, began] = [await account.troupe('chat', 'list'), await account.troupe('run', '--model', 'rehearsal', 'Look around')]

  assert.deepEqual([looked.stderr, looked.code], ['', 0])
  assert.match(began.stderr, /investigator only reads, without execute_commands, until you trust .*\. Try: troupe roles trust /)
})

test('[R38] only roles that only read may hand in a plan', async (t) => {
  const account = await anAccount(t)

  const planner = await account.troupe('roles', 'explain', 'planner', 'submit_plan', '--json')
  const actor = await account.troupe('roles', 'explain', 'actor', 'submit_plan', '--json')

  assert.equal(JSON.parse(planner.stdout).allowed, true)
  assert.deepEqual([JSON.parse(actor.stdout).allowed, JSON.parse(actor.stdout).rule], [false, 'tool_roles'])
})
