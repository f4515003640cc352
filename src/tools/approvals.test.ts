import assert from 'node:assert/strict'
import { access, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Plan } from '../domain/plan.ts'
import { QuestionContent } from '../domain/question.ts'
import { parseApprove } from './approvals.ts'
import { openTestGate, type TestGate } from './test-gate.ts'
import type { GateContext } from './tool.ts'

test('[G13] deleting asks a person, with a major question that has no default', async (t) => {
  const gate = await openTestGate(t, { 'old.txt': 'old\n' })

  const result = await gate.call('delete_file', { path: 'old.txt' })

  assert.deepEqual([result.outcome, result.ends], ['waiting', 'waiting'])
  const content = QuestionContent.parse(result.ask?.content)
  assert.deepEqual([content.severity, content.default], ['major', null])
  assert.match(content.question, /^Delete old\.txt\?/)
  assert.match(content.context, /-old/)
  await access(join(gate.root, 'old.txt'))
})

test('[P27] a call whose text turns its direction is put to a person as it would run', async (t) => {
  const gate = (await openTestGate(t)).as({ approvals: parseApprove('create_file=ask') })

  const turned = 'rm old\u202e# yrd --\u2066'
  const result = await gate.call('create_file', { path: turned, content: turned })

  const { question, context } = QuestionContent.parse(result.ask?.content)
  for (const told of [question, context]) assert.match(told, /rm old\[U\+202E\]# yrd --\[U\+2066\]/)
})

test('[G13] a step of the approved plan that names the path, and the tool or its kind of work as a Planner does, lets it be deleted', async (t) => {
  for (const plan of [aPlan('Delete src/old.ts.', ['delete_file']), aPlan('Delete src/old.ts', ['delete'])]) {
    const gate = await openTestGate(t, { 'src/old.ts': 'old' })

    const result = await gate.as({ plan }).call('delete_file', { path: './src/old.ts' })

    assert.deepEqual([result.outcome, result.decision.rule], ['ok', 'plan_step'])
    await assert.rejects(access(join(gate.root, 'src/old.ts')))
  }
})

test('[G13] a plan that is a draft, lists another tool or names another path does not', async (t) => {
  const gate = await openTestGate(t, { 'src/old.ts': 'old' })
  const plans = [
    aPlan('Delete src/old.ts', ['delete_file'], 'draft'),
    aPlan('Delete src/old.ts', ['update_file']),
    aPlan('Delete src/old.ts.bak', ['delete_file']),
    aPlan('Delete lib/src/old.ts', ['delete_file']),
    aPlan('Delete old.ts', ['delete_file']),
    aPlan('Delete src/old.tsx', ['delete_file']),
    aPlan('Delete src/oldXts', ['delete_file']),
    aPlan('Delete everything', ['delete_file']),
  ]

  for (const plan of plans) {
    assert.equal((await gate.as({ plan }).call('delete_file', { path: 'src/old.ts' })).outcome, 'waiting', plan.content.steps[0]?.action)
  }
})

test('[G13] the user can allow deleting beforehand', async (t) => {
  const gate = await openTestGate(t, { 'old.txt': 'old' })

  const result = await gate.as({ approvals: parseApprove('delete_file=allow') }).call('delete_file', { path: 'old.txt' })

  assert.deepEqual([result.outcome, result.decision.rule], ['ok', 'setting_allow'])
})

test('[G14] an approved call runs once, and the same approval does not run it again', async (t) => {
  const gate = await openTestGate(t, { 'old.txt': 'old' })
  await approve(gate, { path: 'old.txt' })

  const first = await gate.call('delete_file', { path: 'old.txt' })
  await writeFile(join(gate.root, 'old.txt'), 'new')
  const second = await gate.call('delete_file', { path: 'old.txt' })

  assert.deepEqual([first.outcome, second.outcome], ['ok', 'waiting'])
  assert.equal(await readFile(join(gate.root, 'old.txt'), 'utf8'), 'new')
})

test('[G14] an approval is void once the arguments, the call, the role or the plan changed', async (t) => {
  const outcomes = [
    await approvedThen(t, {}, { path: 'other.txt' }),
    await approvedThen(t, {}, { path: 'old.txt' }, 'call_2'),
    await approvedThen(t, { role: 'coder' }, { path: 'old.txt' }),
    await approvedThen(t, { plan: aPlan('Look around', []) }, { path: 'old.txt' }),
    await approvedThen(t, {}, { path: 'old.txt' }),
  ]

  assert.deepEqual(outcomes, ['waiting', 'waiting', 'waiting', 'waiting', 'ok'])
})

const fileChanges = [
  ['delete_file', { path: 'a.txt' }, /-something else/],
  ['update_file', { path: 'a.txt', old_text: 'a', new_text: 'b' }, / something else/],
] as const

for (const [tool, input, newDiff] of fileChanges) {
  test(`[G47] a ${tool} that was approved is asked about again when the file has changed since, and nothing is done meanwhile`, async (t) => {
    const gate = (await openTestGate(t, { 'a.txt': 'a\n' })).as({ approvals: parseApprove(`${tool}=ask`) })
    const file = join(gate.root, 'a.txt')
    await approve(gate, input, tool)
    await writeFile(file, 'a\nsomething else\n')

    const again = await gate.call(tool, input)

    assert.deepEqual([again.outcome, again.ends], ['waiting', 'waiting'])
    assert.match(again.ask?.content.context ?? '', /changed since you were asked/)
    assert.match(again.ask?.content.context ?? '', newDiff)
    assert.equal(await readFile(file, 'utf8'), 'a\nsomething else\n')
    assert.equal(gate.started.length, 0)
    gate.approvals.length = 0
    await approve(gate, input, tool)
    assert.equal((await gate.call(tool, input)).outcome, 'ok')
  })
}

test('[G47] a file that was approved to be created and is there by now stays as it is', async (t) => {
  const gate = (await openTestGate(t)).as({ approvals: parseApprove('create_file=ask') })
  const input = { path: 'new.txt', content: 'mine' }
  await approve(gate, input, 'create_file')
  await writeFile(join(gate.root, 'new.txt'), 'of another')

  const result = await gate.call('create_file', input)

  assert.equal(result.outcome, 'error')
  assert.equal(await readFile(join(gate.root, 'new.txt'), 'utf8'), 'of another')
})

test('[G47] a deletion that was approved for a file is not carried out on a link that lies there by now, nor the other way round', async (t) => {
  const gate = await openTestGate(t, { 'old.txt': 'old', 'other.txt': 'other' })
  await approve(gate, { path: 'old.txt' })
  await rm(join(gate.root, 'old.txt'))
  await symlink('other.txt', join(gate.root, 'old.txt'))

  const result = await gate.call('delete_file', { path: 'old.txt' })

  assert.equal(result.outcome, 'waiting')
  assert.equal(await readlink(join(gate.root, 'old.txt')), 'other.txt')
})

test('[G47] a refusal stays a refusal when the file has changed', async (t) => {
  const gate = await openTestGate(t, { 'old.txt': 'old' })
  await approve(gate, { path: 'old.txt' }, 'delete_file', false)
  await writeFile(join(gate.root, 'old.txt'), 'new')

  const result = await gate.call('delete_file', { path: 'old.txt' })

  assert.deepEqual([result.outcome, result.decision.rule], ['denied', 'user_refused'])
})

test('[G11] an approval given to an Actor does not let a Planner delete', async (t) => {
  const outcome = await approvedThen(t, { role: 'planner', permissions: ['read_files'] }, { path: 'old.txt' })

  assert.equal(outcome, 'denied')
})

test('[G15] a refusal is told to the model with the reason', async (t) => {
  const gate = await openTestGate(t, { 'old.txt': 'old' })
  await approve(gate, { path: 'old.txt' })
  const [found] = gate.approvals
  assert.ok(found)
  gate.approvals[0] = { ...found, granted: false, text: 'we still need it' }

  const result = await gate.call('delete_file', { path: 'old.txt' })

  assert.deepEqual([result.outcome, result.decision.rule], ['denied', 'user_refused'])
  assert.match(result.output, /the user refused this call: we still need it/)
  await access(join(gate.root, 'old.txt'))
})

/** Answers the question about a call, as the store would remember it. */
async function approve(gate: TestGate, input: unknown, tool = 'delete_file', granted = true): Promise<void> {
  const { ask } = await gate.call(tool, input)
  assert.ok(ask)
  gate.approvals.push({ approval: { ...ask.approval }, granted, text: '' })
}

async function approvedThen(t: TestContext, changes: Partial<GateContext>, input: unknown, id?: string): Promise<string> {
  const gate = await openTestGate(t, { 'old.txt': 'old', 'other.txt': 'other' })
  await approve(gate, { path: 'old.txt' })
  const [found] = gate.approvals
  return (await gate.as({ findApproval: async () => found ?? null, ...changes }).call('delete_file', input, id)).outcome
}

function aPlan(action: string, tools_needed: string[], status: Plan['status'] = 'approved') {
  const step = { step_number: 1, action, tools_needed, reason: '', estimated_time: '' }
  return { id: 'plan_1', status, content: { goal: 'tidy', steps: [step], estimated_total_time: '', risks: [], prerequisites: [] } }
}
