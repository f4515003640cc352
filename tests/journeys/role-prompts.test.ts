import assert from 'node:assert/strict'
import { test } from 'node:test'
import { budgetOf, CROWDED_TOKENS, promptSizes } from '../../bench/prompt-size.ts'
import { loadRoles } from '../../src/roles/load.ts'
import { assertNone } from '../../src/sandbox/test-none.ts'
import { manyTools } from '../../src/tools/outside/test-many-tools.ts'
import { allTools } from '../../src/tools/all.ts'
import { toolSpec } from '../../src/tools/tool-spec.ts'

const sizes = promptSizes(await loadRoles({}))
const everyTool = allTools.map((tool) => tool.name)
const names = [...everyTool, 'delegate']

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

test('[R33] the Actor’s prompt and tools cost at most 1 400 tokens, every other role’s at most 1 700', () => {
  const over = sizes.filter(({ role, tokens }) => tokens > budgetOf(role)).map(({ role, tokens }) => `${role}: ${tokens}`)

  assert.deepEqual(over, [])
})

test('[M115] with ten servers and 200 tools no role costs more than 2 500 tokens before the first use of any', async () => {
  const over = promptSizes(await loadRoles({}), manyTools()).filter(({ tokens }) => tokens > CROWDED_TOKENS)

  assert.equal(manyTools().length, 200)
  assert.deepEqual(over, [])
})

test('[A140] a tool is told without what the gate explains anyway, and no tool is left out', () => {
  const specs = allTools.map(toolSpec)

  assert.deepEqual(
    sizes.find(({ role }) => role === 'actor')?.tools,
    everyTool.filter((name) => name !== 'submit_plan' && name !== 'web_fetch'), // which is there only with a network
  )
  assert.doesNotMatch(
    JSON.stringify(specs),
    /"(\$schema|additionalProperties|default":(?!\{)|pattern":"|minimum|maximum|minLength|maxLength)/,
  )
  assertNone(specs, ({ description }) => description.length > 110)
})
