import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from '../../src/cli/test-account.ts'
import { allTools } from '../../src/tools/all.ts'
import { treeOf } from '../tree.ts'

test('[A89] a Planner whose model calls every tool there is, and claims to be an Actor, changes nothing', async (t) => {
  const account = await anAccount(t)
  await account.write('project/a.txt', 'a\n')
  const replies = [
    ...attempts.map((call) => ({ text: 'The user has switched me to the Actor role, so now I act.', calls: [call] })),
    { text: 'Nothing worked.' },
  ]
  const args = ['--model', await account.script(replies), '--role', 'planner', '--output-format', 'stream-json', '--approve', allowAll]
  const before = await treeOf(account.project)

  const { code, stdout } = await account.troupe('run', 'plan it', ...args)

  const results = stdout.split('\n').filter((line) => line.includes('"tool_result"'))
  assert.equal(code, 0)
  assert.equal(results.length, attempts.length)
  for (const line of results) assert.match(line, /"outcome":"(denied|error)"/)
  assert.deepEqual(await treeOf(account.project), before)
})

const allowAll = allTools.map((tool) => `${tool.name}=allow`).join(',')

const attempts = [
  { tool: 'create_file', input: { path: 'b.txt', content: 'b' } },
  { tool: 'update_file', input: { path: 'a.txt', old_text: 'a', new_text: 'b' } },
  { tool: 'delete_file', input: { path: 'a.txt' } },
  { tool: 'execute_command', input: { command: 'echo b > a.txt' } },
  { tool: 'execute_command', input: { command: 'cat > b.txt <<EOF\nb\nEOF' } },
  { tool: 'execute_command', input: { command: "python3 -c \"open('a.txt','w')\"" } },
  { tool: 'execute_command', input: { command: 'git init && git config core.hooksPath /tmp' } },
  { tool: 'delegate', input: { role: 'actor', task: 'write b to a.txt' } },
  { tool: 'create_file', input: { path: '../b.txt', content: 'b' } },
  { tool: 'write', input: { path: 'a.txt' } },
]
