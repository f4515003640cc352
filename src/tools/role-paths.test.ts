import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { unbounded } from '../domain/bounds.ts'
import { kindsHere } from '../sandbox/test-actor.ts'
import { parseApprove } from './approvals.ts'
import { toolsFor } from './authorize.ts'
import { openTestGate } from './test-gate.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'

const [kind] = await kindsHere()

async function gateFor(t: TestContext, write: string[][], read: string[][] = []) {
  const gate = await openTestGate(t, { 'src/a.ts': 'needle a', 'docs/guide.md': 'needle guide', 'README.md': 'needle read' })
  execFileSync('sh', ['-c', 'git init -q -b main . && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm one'], {
    cwd: gate.root,
  })
  await symlink('../src', join(gate.root, 'docs/way'))
  return gate.as({
    bounds: { ...unbounded, write_paths: write, read_paths: read },
    approvals: parseApprove('delete_file=allow'),
    ...(kind && { sandbox: { kind } }),
  })
}

test('[N12] no file tool changes anything beyond the paths a role may write, by any spelling or link', async (t) => {
  const gate = await gateFor(t, [['docs/**']])
  const places = ['src/a.ts', './src/a.ts', 'docs/../src/a.ts', 'docs/way/a.ts', `${gate.root}/src/a.ts`, 'README.md']

  const refused = []
  for (const path of places) {
    refused.push(await gate.call('update_file', { path, old_text: 'needle', new_text: 'bad' }))
    refused.push(await gate.call('delete_file', { path }))
    refused.push(await gate.call('create_file', { path: `${path}.new`, content: 'bad' }))
  }
  const made = await gate.call('create_file', { path: 'docs/new/page.md', content: 'ok' })
  const updated = await gate.call('update_file', { path: 'docs/guide.md', old_text: 'needle', new_text: 'good' })

  assert.deepEqual([...new Set(refused.map(({ decision }) => decision.rule))], ['path_refused'])
  assert.deepEqual([made.outcome, updated.outcome], ['ok', 'ok'])
  assert.equal(await readFile(join(gate.root, 'src/a.ts'), 'utf8'), 'needle a')
})

test('[N12] of two lists, those of a role and of one above it, both must name a path', async (t) => {
  const gate = await gateFor(t, [['docs/**', 'src/**'], ['docs/**']])

  const inside = await gate.call('create_file', { path: 'docs/b.md', content: 'ok' })
  const beyond = await gate.call('create_file', { path: 'src/b.ts', content: 'bad' })

  assert.deepEqual([inside.outcome, beyond.outcome], ['ok', 'denied'])
})

test('[N13] what a role may not read is not found by any tool', async (t) => {
  const gate = await gateFor(t, [], [['docs/**']])

  const answers = {
    read: await gate.call('read_file', { path: 'src/a.ts' }),
    link: await gate.call('read_file', { path: 'docs/way/a.ts' }),
    list: await gate.call('list_directory', { path: '.', depth: 3 }),
    below: await gate.call('list_directory', { path: 'src' }),
    find: await gate.call('find_files', { pattern: '**/*' }),
    search: await gate.call('search_code', { pattern: 'needle' }),
    log: await gate.call('git_log', { files: true }),
    status: await gate.call('git_status', {}),
    diff: await gate.call('git_diff', { from: 'HEAD' }),
    blame: await gate.call('git_blame', { path: 'src/a.ts' }),
  }

  for (const [name, { output }] of Object.entries(answers)) {
    const shown = output.replaceAll(/docs\/way|-> \.\.\/src|"src\/a\.ts"|"src"|"docs\/way\/a\.ts"/g, '') // what was asked for, and a link of its own
    assert.doesNotMatch(shown, /a\.ts|README|needle a/, name)
  }
  assert.deepEqual(
    [answers.read.outcome, answers.link.outcome, answers.below.outcome, answers.blame.outcome],
    ['denied', 'denied', 'denied', 'denied'],
  )
  assert.match(answers.search.output, /needle guide/)
  assert.match(answers.list.output, /guide\.md/)
  assert.match(answers.log.output, /docs\/guide\.md/)
})

test('[N13] a glob in the middle hides files as well as folders do', async (t) => {
  const gate = await gateFor(t, [], [['**/*.md']])

  const [read, hidden] = [await gate.call('read_file', { path: 'README.md' }), await gate.call('read_file', { path: 'src/a.ts' })]

  assert.deepEqual([read.outcome, hidden.outcome], ['ok', 'denied'])
  assert.ok(!toolsFor(gate.context, gate.context.tools).some(({ name }) => name === 'execute_command'))
})

test(
  '[N12, N13] a command is held to the paths of its role, and what no mount can hold does not last',
  { skip: kind === undefined && 'needs a sandbox' },
  async (t) => {
    const folder = await gateFor(t, [['docs/**']], [])
    const pattern = await gateFor(t, [['**/*.md']], [])
    const command = 'echo ok > docs/new.md; echo bad > src/a.ts; true'

    const [held, thrown] = [await folder.call('execute_command', { command }), await pattern.call('execute_command', { command })]
    const bare = await folder
      .as({ sandbox: { kind: 'none', reason: 'none', fix: 'none' }, commands: commandSettingsWith({ unsandboxed: true }) })
      .call('execute_command', { command })

    assert.deepEqual([held.details['access'], thrown.details['access']], ['change', 'throw_away'])
    assert.equal(await readFile(join(folder.root, 'docs/new.md'), 'utf8'), 'ok\n')
    for (const { root } of [folder, pattern]) assert.equal(await readFile(join(root, 'src/a.ts'), 'utf8'), 'needle a')
    await assert.rejects(readFile(join(pattern.root, 'docs/new.md')))
    assert.equal(bare.decision.rule, 'role_paths')
  },
)
