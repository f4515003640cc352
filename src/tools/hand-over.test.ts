import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlanContent } from '../domain/plan.ts'
import { QuestionContent } from '../domain/question.ts'
import { openTestGate } from './test-gate.ts'
import { toolSpec } from './tool-spec.ts'
import { allTools } from './all.ts'

const yes = { label: 'Yes', value: 'yes' }

test('[G32] ask_user hands over the question and the run waits', async (t) => {
  const gate = (await openTestGate(t)).as({ role: 'planner', permissions: ['read_files'] })

  const asked = await gate.call('ask_user', { type: 'question', question: 'Both?', severity: 'minor', options: [yes], default: 'yes' })
  const wrong = await gate.call('ask_user', { type: 'question', question: 'Both?', severity: 'minor', options: [yes], default: 'maybe' })

  assert.deepEqual([asked.outcome, asked.ends], ['waiting', 'waiting'])
  assert.equal(QuestionContent.parse(asked.details.question).question, 'Both?')
  assert.match(wrong.output, /default is "maybe"; it must be the value of one of the options/)
})

test('[G32] submit_plan hands over the plan and the run is complete', async (t) => {
  const gate = (await openTestGate(t)).as({ role: 'planner', permissions: ['read_files'] })

  const handed = await gate.call('submit_plan', { goal: 'Tidy', steps: [{ step_number: 1, action: 'Look' }] })
  const empty = await gate.call('submit_plan', { goal: 'Tidy', steps: [] })

  assert.deepEqual([handed.outcome, handed.ends], ['ok', 'completed'])
  assert.equal(PlanContent.parse(handed.details.plan).steps.length, 1)
  assert.equal(empty.outcome, 'error')
})

test('[G10] every tool is told to the model as an object with named fields', () => {
  const specs = allTools.map(toolSpec)

  assert.ok(specs.every(({ input_schema }) => input_schema.type === 'object' && !('$schema' in input_schema)))
  assert.equal(toolSpec(allTools[0] ?? assert.fail()).input_schema, specs[0]?.input_schema)
})
