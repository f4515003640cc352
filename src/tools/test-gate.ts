import type { TestContext } from 'node:test'
import * as z from 'zod'
import type { ToolCall } from '../domain/entry.ts'
import { permissions, type Permission } from '../domain/permission.ts'
import { unbounded } from '../domain/bounds.ts'
import { testWorkspace } from '../sandbox/test-workspace.ts'
import { allTools } from './all.ts'
import { callTool, defineTool } from './gate.ts'
import { noDenials } from './refusal.ts'
import type { CallResult, FoundApproval, GateContext, StartedCall, Tool, ToolBody, ToolDefinition } from './tool.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'

/** A gate over a real folder, with the store's side of approvals kept in two lists the test can read. */
export interface TestGate {
  context: GateContext
  root: string
  approvals: FoundApproval[]
  started: StartedCall[]
  call(tool: string, input: unknown, id?: string): Promise<CallResult>
  as(changes: Partial<GateContext>): TestGate
}

/** For tests: a workspace with the given files, and an Actor before the gate. */
export async function openTestGate(t: TestContext, files: Record<string, string> = {}): Promise<TestGate> {
  return testGate(await testWorkspace(t, files), {})
}

function testGate(root: string, changes: Partial<GateContext>): TestGate {
  const approvals: FoundApproval[] = []
  const started: StartedCall[] = []
  const context: GateContext = {
    root,
    role: 'actor',
    role_name: 'Actor',
    permissions,
    thread_id: 'thread_1',
    run_id: 'run_1',
    sandbox: { kind: 'none', reason: 'none was looked for', fix: 'install bubblewrap' },
    commands: commandSettingsWith(),
    bounds: unbounded,
    networkLeave: { asks: false, project: root, take: async () => ({ allowed: [], never: [] }) },
    signal: new AbortController().signal,
    tools: allTools,
    approvals: { tools: {}, never_ask: false },
    plan: null,
    denials: noDenials(),
    findApproval: async (wanted) => approvals.find(({ approval }) => approval.call_id === wanted.call_id) ?? null,
    recordStart: async (call) => {
      started.push(call)
      if (call.approval !== null) call.approval.used_at = new Date().toISOString()
    },
    ...changes,
  }
  return {
    context,
    root,
    approvals,
    started,
    call: (tool, input, id = 'call_1') => callTool(context, aCall(tool, input, id)),
    as: (more) => testGate(root, { ...changes, ...more }),
  }
}

/** For tests: a call as a model would write it. */
export function aCall(tool: string, input: unknown, id = 'call_1'): ToolCall {
  return { id, tool, input }
}

/** For tests: a tool that takes nothing, needs only to read unless more is said, and does this. */
export function aTool(
  name: string,
  run: ToolBody<object>['run'],
  required_permissions: readonly Permission[] = ['read_files'],
  more: Pick<ToolDefinition<object>, 'roles' | 'asks' | 'mode'> = {},
): Tool {
  return defineTool({ name, description: 'for tests', required_permissions, input: z.strictObject({}), run, ...more })
}
