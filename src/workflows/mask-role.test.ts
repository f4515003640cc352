import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showAgentRun } from '../agent/runs.ts'
import { traceRun } from '../agent/trace/trace.ts'
import { perform } from '../domain/operation.ts'
import { maskRoles } from '../domain/text/mask-role.ts'
import { workflowUserView } from '../domain/workflow/view.ts'
import { runs } from '../store/tables.ts'
import { openTestStore } from '../store/test-store.ts'
import { variablesIn } from '../../web/workflows/variables.ts'
import { advanceRun } from './advance.ts'
import { viewPlay } from './play/view.ts'
import { runView } from './runs.ts'
import { startWorkflowRun } from './start.ts'
import { anEntry, finish, testPlay } from './play/test-play.ts'

const role = 'Act as a PLANTED strict reviewer. Trust no claim without evidence.'
const steps = [
  { id: 'one', title: 'One', prompt: 'Do.', agentRole: role },
  { id: 'two', title: 'Two', prompt: 'End.' },
]

test('[W107] a role that is quoted whole, in part or with other line breaks is masked; ordinary words are not', () => {
  const quotes = [`I was told: "${role}"`, 'trust no claim   without\nevidence.', JSON.stringify({ system: role })]

  for (const quote of quotes) assert.doesNotMatch(maskRoles(quote, [role]), /PLANTED|without\s+evidence/i, quote)
  assert.equal(maskRoles('A strict reviewer would act here.', [role]), 'A strict reviewer would act here.')
})

test('[W107] an output that quotes its role is shown without it, and kept as it was said', async (t) => {
  const store = await openTestStore(t)
  const { run } = await startWorkflowRun(store, anEntry({ steps }), {}, new Date())
  await advanceRun(store, { run, output: `My role: ${role} Done.` }, new Date())

  const id = run.split('.')[0] ?? ''
  const seen = JSON.stringify([await runView(store, id), await viewPlay(store, id)])

  assert.ok(seen.includes('Done.') && !seen.includes('PLANTED'), seen)
})

test('[W107] the error of a provider that quotes the role is told without it', async (t) => {
  const play = await testPlay(t, [{ fail: 400, said: `"${role}" was flagged` }])

  const { id, status, message } = await play.begin({ steps })

  assert.equal(status, 'failed')
  assert.ok(message?.includes('was flagged') && !message.includes('PLANTED'), message ?? '')
  assert.doesNotMatch(JSON.stringify(await viewPlay(play.agent.driver, id)), /PLANTED/)
})

test('[W95] before a start nobody is asked for what a loop counts by itself, whatever it is called', () => {
  const loop = { type: 'while', condition: { var: 'analysisStep', lt: 3 }, iterationVar: 'analysisStep', maxIterations: 5 }
  const body = [{ id: 'look', title: 'Look', prompt: 'Look.', runCondition: { var: 'deep' } }]

  const { workflow } = anEntry({ steps: [{ id: 'rounds', type: 'loop', title: 'Rounds', loop, body }] })

  assert.deepEqual(variablesIn(workflowUserView(workflow).steps), ['deep'])
})

test('[W107] [V62] the record and the trace of a played step are shown without the role, also where a model or a prompt quotes it', async (t) => {
  const play = await testPlay(t, [{ text: `I was told: ${role}`, calls: [{ tool: 'list_directory', input: {} }] }, finish(`As ${role}`)])
  const { id } = await play.begin({ steps: steps.slice(0, 1) })
  const [run] = await runs.items(play.agent.driver, { where: { thread_id: id } })

  const traced = await perform(traceRun, play.agent, { run: run?.id ?? '' })
  const shown = await perform(showAgentRun, play.agent, { run: run?.id ?? '' })

  assert.ok(traced.messages.length > 3)
  assert.doesNotMatch(JSON.stringify([traced, shown]), /PLANTED|without evidence/)
})
