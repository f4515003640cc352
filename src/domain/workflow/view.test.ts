import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideNext } from './next.ts'
import { agentView, composeStepPrompt, userView, workflowUserView } from './view.ts'
import { Workflow } from './workflow.ts'

const prompt = 'User-facing instructions...'
const agentRole = 'Agent behavioral instructions...'
const guidance = ['Tactical hint 1', 'Tactical hint 2']

test('[W4] role, hints and prompt are composed byte for byte as specified', () => {
  const composed = composeStepPrompt({ prompt, agentRole, guidance })

  assert.equal(
    composed,
    '## Agent Role\nAgent behavioral instructions...\n\n## Step Guidance\n- Tactical hint 1\n- Tactical hint 2\n\nUser-facing instructions...',
  )
})

test('[W4] a part that is missing or empty leaves no trace in the composition', () => {
  const composed = {
    nothing: composeStepPrompt({ prompt }),
    emptyParts: composeStepPrompt({ prompt, agentRole: '', guidance: [] }),
    role: composeStepPrompt({ prompt, agentRole }),
    hints: composeStepPrompt({ prompt, guidance }),
  }

  assert.deepEqual(composed, {
    nothing: prompt,
    emptyParts: prompt,
    role: `## Agent Role\n${agentRole}\n\n${prompt}`,
    hints: `## Step Guidance\n- Tactical hint 1\n- Tactical hint 2\n\n${prompt}`,
  })
})

test('[W13] the agent gets role, hints and the functions the step names; what people see holds none of them', () => {
  const workflow = aWorkflow()

  const decision = decideNext(workflow, [], {})
  assert.equal(decision.status, 'step')
  const view = agentView(workflow, decision.next)
  const seen = JSON.stringify([userView(workflow, decision.next), workflowUserView(workflow)])

  assert.equal(view.step.agentRole, agentRole)
  assert.deepEqual(view.step.guidance, guidance)
  assert.deepEqual(view.step.functionDefinitions, [{ name: 'greet', definition: 'Say hello.' }])
  assert.equal(view.guidance.prompt, composeStepPrompt({ prompt, agentRole, guidance }))
  assert.ok(seen.includes(prompt))
  for (const hidden of [agentRole, ...guidance, 'Say hello.']) assert.ok(!seen.includes(hidden), hidden)
})

function aWorkflow(): Workflow {
  return Workflow.parse({
    id: 'example',
    name: 'Example',
    description: 'An example.',
    version: '1.0.0',
    functionDefinitions: [
      { name: 'greet', definition: 'Say hello.' },
      { name: 'unused', definition: 'Nobody names it.' },
    ],
    steps: [{ id: 'example-step', title: 'Example Step', prompt, agentRole, guidance, functionReferences: ['greet()'] }],
  })
}
