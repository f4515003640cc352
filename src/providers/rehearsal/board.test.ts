import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRequest, assistant, never, tool, user } from '../test-entries.ts'
import type { Entry, ToolCall } from '../../domain/entry.ts'
import type { ToolSpec } from '../provider.ts'
import { rehearsalProvider } from './rehearsal.ts'

const offering = (...offered: string[]): ToolSpec[] => offered.map((name) => ({ name, description: '', input_schema: {} }))
const coding = offering('read_file', 'create_file', 'update_file', 'submit_for_review')
const reviewing = offering('read_file', 'execute_command', 'submit_verdict')
const demoTask = 'TASK ID: format-price\nThe board of this demo builds what is written here.'

test('[A28] the rehearsal plans three tasks from the spec of a goal and finalizes them', async () => {
  const system = 'WAKE TRIGGER: INITIAL_PLANNING\n\nSPEC specs/api.md:\nList the users.'
  const tools = offering('read_file', 'add_task', 'finalize_task')

  const calls = await play(system, tools, {})

  assert.deepEqual(names(calls), ['add_task', 'add_task', 'add_task', 'finalize_task', 'finalize_task', 'finalize_task'])
  assert.equal(fieldOf(calls[0], 'spec_ref'), 'specs/api.md')
})

test('[A28] a coder hands in, and after a rejection repairs what it made', async () => {
  const first = await play('TASK ID: note-1', coding, {})
  const second = await play('TASK ID: note-1\nYou MUST address each blocker', coding, {})

  assert.deepEqual(names(first), ['write_checkpoint', 'create_file', 'commit_work', 'submit_for_review'])
  assert.deepEqual(names(second), ['write_checkpoint', 'update_file', 'commit_work', 'submit_for_review'])
})

test('[A93] a coder whose work is not taken asks instead of handing in the same again', async () => {
  const calls = await play('TASK ID: note-2', coding, { commit_work: 'exit code 1', submit_for_review: 'exit code 1' })

  assert.deepEqual(names(calls).slice(-2), ['submit_for_review', 'mark_blocked'])
})

test('[A93] a planner that is given no spec says so where it is seen, once', async () => {
  const calls = await play('WAKE TRIGGER: INITIAL_PLANNING\n\nSPEC: none was named', offering('add_task', 'log_anomaly'), {})

  assert.deepEqual(names(calls), ['log_anomaly'])
})

test('[A28] a verdict follows the exit code of the command, whatever the file looks like', async () => {
  const passed = await play(demoTask, reviewing, { execute_command: 'exit code 0', read_file: 'rubbish' })
  const failed = await play(demoTask, reviewing, { execute_command: 'exit code 1', read_file: 'toLocaleString' })

  assert.deepEqual([verdictOf(passed), verdictOf(failed)], ['APPROVED', 'REJECTED'])
})

test('[A28] where no command may be run a verdict follows what the file holds, and speaks of each earlier blocker', async () => {
  const earlier = `${demoTask}\n- 1.1 src/format-price.js:1 wrong`
  const good = await play(earlier, reviewing, { execute_command: 'denied', read_file: 'toLocaleString' })
  const bad = await play(earlier, reviewing, { execute_command: 'denied', read_file: 'cents / 100' })

  assert.deepEqual([verdictOf(good), verdictOf(bad)], ['APPROVED', 'REJECTED'])
  assert.deepEqual(fieldOf(good.at(-1), 'prior_findings'), [{ id: '1.1', status: 'RESOLVED' }])
})

/** Plays turns until the last move or until nothing is called, answering each call from a table; gives back every call. */
async function play(system: string, tools: ToolSpec[], answers: Record<string, string>): Promise<ToolCall[]> {
  const entries: Entry[] = [user('Begin.')]
  const made: ToolCall[] = []
  for (let turn = 0; turn < 10; turn++) {
    const { text, calls } = await rehearsalProvider().ask(aRequest({ system, tools, entries: [...entries] }), never)
    made.push(...calls)
    entries.push(assistant(text, calls), ...calls.map((call) => answered(call, answers[call.tool] ?? 'ok')))
    if (calls.length === 0 || calls.some((call) => isLast(call, answers))) return made
  }
  throw new Error('the rehearsal does not come to an end')
}

/** What is handed in and not refused is the end of it; so is asking. */
function isLast({ tool: name }: ToolCall, answers: Record<string, string>): boolean {
  return name === 'mark_blocked' || (name.startsWith('submit_') && answers[name] === undefined)
}

function answered(call: ToolCall, output: string): Entry {
  const entry = tool(call, output)
  if (entry.from !== 'tool') return entry
  return { ...entry, outcome: output === 'denied' ? 'denied' : output === 'exit code 1' ? 'error' : 'ok' }
}

function names(calls: ToolCall[]): string[] {
  return calls.map((call) => call.tool)
}

function verdictOf(calls: ToolCall[]): unknown {
  return fieldOf(calls.at(-1), 'verdict')
}

function fieldOf(call: ToolCall | undefined, name: string): unknown {
  return typeof call?.input === 'object' && call.input !== null ? Reflect.get(call.input, name) : undefined
}
