import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import * as z from 'zod'
import { treeOf } from '../../tests/tree.ts'
import { permissions, type Permission } from '../domain/permission.ts'
import { assertNone } from '../sandbox/test-none.ts'
import { allTools } from './all.ts'
import { parseApprove } from './approvals.ts'
import { authorize, toolsFor } from './authorize.ts'
import { callTool, defineTool } from './gate.ts'
import { explain } from './judge.ts'
import { noDenials } from './refusal.ts'
import { aCall, openTestGate } from './test-gate.ts'
import type { Tool } from './tool.ts'

const somePermissions = fc.subarray([...permissions])
const someRole = fc.constantFrom('planner', 'actor', 'tester', 'supervisor')
const someSetting = fc.constantFrom('allow', 'ask', 'deny', undefined)
const oddPath = fc.constantFrom('../out.txt', '/etc/passwd', '.git/config', '.env', 'sub/../a.txt', '', '\0', 'link/x')
const somePath = fc.oneof(fc.constantFrom('a.txt', 'new.txt'), oddPath)
const fitting = {
  delete_file: fc.record({ path: somePath }),
  create_file: fc.record({ path: somePath, content: fc.string() }),
  update_file: fc.record({ path: somePath, old_text: fc.constantFrom('a', 'b'), new_text: fc.string() }),
}
const someInput = fc.oneof(fc.anything(), ...Object.values(fitting))
/** Every other one can really change a file: by chance alone a tool and its arguments hardly ever go together. */
const someCall = fc.oneof(
  fc.tuple(fc.constantFrom(...allTools.map(({ name }) => name)), someInput),
  ...Object.entries(fitting).map(([name, input]) => fc.tuple(fc.constant(name), input)),
)

test('[G4] whatever the role, the tool and the arguments, nothing runs that authorize denies', async (t) => {
  const gate = await openTestGate(t)
  const someTool = fc.record({
    needs: fc.subarray([...permissions]),
    roles: fc.option(fc.subarray(['planner', 'actor', 'tester', 'supervisor']), { nil: undefined }),
    asks: fc.boolean(),
  })

  await fc.assert(
    fc.asyncProperty(
      someTool,
      someRole,
      somePermissions,
      someSetting,
      fc.boolean(),
      someInput,
      async (made, role, held, setting, never_ask, input) => {
        let runs = 0
        const tool = aTool(made, () => (runs += 1))
        const approvals = { tools: setting === undefined ? {} : { tool: setting }, never_ask }
        const { context } = gate.as({ role, permissions: held, approvals, tools: [tool], denials: noDenials() })

        const decision = await explain(context, 'tool', input ?? null)
        const result = await callTool(context, aCall('tool', input ?? null))

        assert.deepEqual(result.decision, decision)
        assert.equal(runs, decision.verdict === 'allow' ? 1 : 0)
        if (runs > 0)
          assert.ok(made.needs.length > 0 && made.needs.every((need) => held.includes(need)) && (made.roles?.includes(role) ?? true))
        assert.equal(toolsFor(context, [tool]).length === 1, authorize(context, tool).verdict !== 'deny')
      },
    ),
    { numRuns: 500 },
  )
})

test('[G4] whatever a role asks of the built-in tools, files change only as its permissions say', async (t) => {
  const gate = await openTestGate(t, { 'a.txt': 'a', '.env': 'b', '.git/config': '' })
  const start = await treeOf(gate.root)

  await fc.assert(
    fc.asyncProperty(someCall, somePermissions, async ([tool, input], held) => {
      const { context } = gate.as({
        permissions: held,
        approvals: parseApprove('delete_file=allow'),
        denials: noDenials(),
      })

      const { outcome } = await callTool(context, aCall(tool, input))

      const now = await treeOf(gate.root)
      const offered = toolsFor(context, allTools).some(({ name }) => name === tool)
      if (!offered) assert.equal(outcome, 'denied')
      assertNone(changesBetween(start, now), (needed) => !held.includes(needed))
      await restore(gate.root)
    }),
    { numRuns: 500 },
  )
})

function aTool(made: { needs: Permission[]; roles: string[] | undefined; asks: boolean }, run: () => void): Tool {
  return defineTool({
    name: 'tool',
    description: 'counts its runs',
    required_permissions: made.needs,
    ...(made.roles && { roles: made.roles }),
    asks: made.asks,
    input: z.object({ path: z.string().optional() }),
    paths: ({ path }) => (path === undefined ? [] : [path]),
    run: async () => {
      run()
      return { output: 'ran' }
    },
  })
}

/** What a change of the tree would have needed. */
function changesBetween(before: Record<string, string>, after: Record<string, string>): Permission[] {
  const created = Object.keys(after).some((path) => !(path in before))
  const deleted = Object.keys(before).some((path) => !(path in after))
  const written = Object.keys(before).some((path) => path in after && after[path] !== before[path])
  return [
    ...(created ? (['create_files'] as const) : []),
    ...(deleted ? (['delete_files'] as const) : []),
    ...(written ? (['write_files'] as const) : []),
  ]
}

async function restore(root: string): Promise<void> {
  await rm(join(root, 'new.txt'), { force: true })
  await rm(join(root, 'link'), { recursive: true, force: true })
  await writeFile(join(root, 'a.txt'), 'a')
}
