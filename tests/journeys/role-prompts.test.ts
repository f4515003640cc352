import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptSizes } from '../../bench/prompt-size.ts'
import { loadRoles } from '../../src/roles/load.ts'
import { allTools } from '../../src/tools/all.ts'

const BUDGET = 2000
const sizes = promptSizes(await loadRoles({}))
const names = [...allTools.map((tool) => tool.name), 'delegate']

test('[R32] no prompt names a tool that its role lacks', () => {
  for (const { role, prompt, tools } of sizes) {
    const forbidden = names.filter((name) => !tools.includes(name) && new RegExp(`\\b${name}\\b`).test(prompt))

    assert.deepEqual(forbidden, [], role)
  }
})

test('[R32] a Planner’s prompt lists reading tools and none that changes anything', () => {
  const planner = sizes.find(({ role }) => role === 'planner')

  assert.ok(planner?.prompt.includes('read_file') && planner.prompt.includes('list_directory') && planner.prompt.includes('search_code'))
  assert.doesNotMatch(planner?.prompt ?? '', /update_file|create_file|delete_file|execute_command/)
})

test('[R33] every role’s prompt and tools cost at most 2 000 tokens', () => {
  const over = sizes.filter(({ tokens }) => tokens > BUDGET).map(({ role, tokens }) => `${role}: ${tokens}`)

  assert.deepEqual(over, [])
})
