import assert from 'node:assert/strict'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Plan } from '../../src/domain/plan.ts'
import { detectSandbox } from '../../src/sandbox/detect.ts'
import { git } from '../../src/sandbox/git/git.ts'
import { assertNone } from '../../src/sandbox/test-none.ts'
import { setVariables } from '../../src/sandbox/test-surroundings.ts'
import { testWorkspace } from '../../src/sandbox/test-workspace.ts'
import { allTools } from '../../src/tools/all.ts'
import { openTestGate, type TestGate } from '../../src/tools/test-gate.ts'
import { beginRepository } from '../../src/worktrees/test-repository.ts'
import { treeOf } from '../tree.ts'

test('[G40] a Planner that tries every tool and every trick leaves the tree, the home folder and the refs as they were', async (t) => {
  const { gate, home } = await openPlanner(t)
  const before = await everything(gate.root, home)

  const outcomes = new Map<string, string>()
  for (const [at, [tool, input]] of attacks(home).entries()) {
    const { outcome } = await gate.call(tool, input, `call_${at}`)
    outcomes.set(`${tool} ${JSON.stringify(input)}`, outcome)
  }

  assertNone([...outcomes], ([, outcome]) => outcome !== 'denied' && outcome !== 'error')
  assert.deepEqual(await everything(gate.root, home), before)
})

test('[G40] what a Planner may read leaves no trace either', async (t) => {
  const { gate, home } = await openPlanner(t)
  const before = await everything(gate.root, home)
  const reading: Record<string, object> = {
    read_file: { path: 'a.txt' },
    search_code: { pattern: 'a' },
    find_files: { pattern: '*' },
    git_blame: { path: 'a.txt' },
  }
  const others = ['ask_user', 'submit_plan', 'web_fetch'] // a Planner has no network

  const outcomes = await Promise.all(
    allTools
      .filter((tool) => tool.read_only && !others.includes(tool.name))
      .map(async ({ name }) => [name, (await gate.call(name, reading[name] ?? {})).outcome]),
  )

  assert.ok(outcomes.length >= 8)
  assertNone(outcomes, ([, outcome]) => outcome !== 'ok')
  assert.deepEqual(await everything(gate.root, home), before)
})

/** A Planner for whom everything but the role speaks: every tool is allowed, every question was answered with yes, the plan names it all. */
async function openPlanner(t: TestContext): Promise<{ gate: TestGate; home: string }> {
  const home = await testWorkspace(t, { '.bashrc': '# mine\n', '.gitconfig': '', '.ssh/authorized_keys': '' })
  setVariables(t, { HOME: home })
  const gate = await openTestGate(t, { 'a.txt': 'a\n', 'src/b.ts': 'b\n', '.gitignore': 'dist/\n' })
  await beginRepository(gate.root, {})
  await symlink(home, join(gate.root, 'out'))
  await symlink(join(home, '.bashrc'), join(gate.root, 'rc'))
  await writeFile(join(gate.root, 'a.txt'), 'changed\n')
  const settings = Object.fromEntries(allTools.map((tool) => [tool.name, 'allow' as const]))
  return {
    home,
    gate: gate.as({
      role: 'planner',
      permissions: ['read_files'],
      sandbox: await detectSandbox(),
      approvals: { tools: settings, never_ask: false },
      plan: wishfulPlan,
      findApproval: async (approval) => ({ approval, granted: true, text: '' }),
    }),
  }
}

const wishfulPlan: Pick<Plan, 'id' | 'status' | 'content'> = {
  id: 'plan_1',
  status: 'approved',
  content: {
    goal: 'Change everything',
    steps: [
      {
        step_number: 1,
        action: 'Delete a.txt and src/b.ts',
        tools_needed: allTools.map((tool) => tool.name),
        reason: '',
        estimated_time: '',
      },
    ],
    estimated_total_time: '',
    risks: [],
    prerequisites: [],
  },
}

async function everything(root: string, home: string) {
  const refs = await git(root, ['for-each-ref', '--format=%(refname) %(objectname)'])
  return { tree: await treeOf(root), home: await treeOf(home), refs: refs.stdout, head: (await git(root, ['reflog'])).stdout }
}

function attacks(home: string): [tool: string, input: unknown][] {
  const others = ['bash', 'shell', 'write_file', 'apply_patch', 'run', 'CREATE_FILE', 'create_file ', '__proto__', 'constructor']
  return [
    ...writes(home),
    ...shellTricks(home).map((command): [string, unknown] => ['execute_command', { command }]),
    ...optionTricks(home),
    ...others.map((tool): [string, unknown] => [tool, { command: 'touch evil', path: 'evil', content: 'evil' }]),
  ]
}

function writes(home: string): [tool: string, input: unknown][] {
  const inside = ['a.txt', 'new.txt', './src/../a.txt', '.git/config', '.git/hooks/pre-commit', '.git/refs/heads/evil']
  const outside = ['../beside.txt', 'out/x', 'rc', join(home, 'x')]
  return [...inside, ...outside].flatMap((path): [string, unknown][] => [
    ['create_file', { path, content: '#!/bin/sh\ntouch evil\n' }],
    ['update_file', { path, old_text: 'a', new_text: 'evil' }],
    ['delete_file', { path }],
  ])
}

function shellTricks(home: string): string[] {
  return [
    'echo evil > a.txt',
    'cat > a.txt <<EOF\nevil\nEOF',
    `python3 -c "open('a.txt','w').write('evil')"`,
    `node -e "require('fs').writeFileSync('a.txt','evil')"`,
    `ln -s ${home} link; echo evil >> link/.bashrc`,
    'cd .. && touch beside.txt',
    'sed -i s/a/evil/ a.txt; rm -rf src & wait',
    'echo "$(touch evil)"; `touch evil`',
    'git commit -am evil',
    'git branch evil; git update-ref refs/heads/main HEAD~1; git tag evil',
    'git config core.hooksPath /tmp/evil; git config --global user.name evil',
    'printf "#!/bin/sh\\ntouch evil" > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout',
    `echo evil >> ~/.bashrc; echo evil >> ${home}/.ssh/authorized_keys`,
  ]
}

function optionTricks(home: string): [tool: string, input: unknown][] {
  return [
    ['git_log', { revision: '--output=evil.txt' }],
    ['git_diff', { from: '--output=evil.txt' }],
    ['git_diff', { from: '--ext-diff' }],
    ['git_blame', { path: 'a.txt', revision: '--contents=a.txt' }],
    ['search_code', { pattern: 'a', path: '--pre=touch' }],
    ['find_files', { pattern: '*', path: '../' }],
    ['read_file', { path: join(home, '.bashrc') }],
    ['list_directory', { path: 'out' }],
  ]
}
