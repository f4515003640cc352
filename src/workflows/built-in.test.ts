import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsOf } from '../domain/workflow/workflow.ts'
import type { Driver } from '../store/driver.ts'
import { openTestStore } from '../store/test-store.ts'
import { advanceRun } from './advance.ts'
import { type CatalogueEntry, openCatalogue, workflowFolders } from './files/catalogue.ts'
import { runView } from './runs.ts'
import { startWorkflowRun } from './start.ts'
import type { RunAnswer } from './handle.ts'
import { findings, output } from './test-built-in.ts'

const now = new Date('2026-01-01T00:00:00Z')

const folders = workflowFolders('/nowhere', { HOME: '/nowhere' })

test('[W36] at least six workflows are built in, and every step of them has a role for the agent', async () => {
  const { entries, refused } = await openCatalogue(folders).read()

  const steps = [...entries.values()].flatMap(({ workflow }) => stepsOf(workflow))

  assert.deepEqual(refused, [])
  assert.ok(entries.size >= 6)
  for (const step of steps) assert.ok((step.agentRole?.length ?? 0) > 80, step.id)
})

test('[W36] every built-in workflow can be played to its end', async (t) => {
  const store = await openTestStore(t)
  const { entries } = await openCatalogue(folders).read()

  for (const entry of entries.values()) {
    const played = await play(store, entry)

    const written = entry.workflow.steps.flatMap((step) =>
      step.type === 'loop' && typeof step.body !== 'string' ? step.body.map(({ id }) => id) : [step.id],
    )
    const done = new Set(played.map((key) => key.split('::').at(-1) ?? key))
    const left = written.filter((id) => !done.has(id) && !['answer-question', 'instrument'].includes(id))
    assert.deepEqual(left, [], `${entry.workflow.id} never came to ${left.join(', ')}`)
  }
})

async function play(store: Driver, entry: CatalogueEntry): Promise<string[]> {
  const played: string[] = []
  let answer: RunAnswer = await startWorkflowRun(store, entry, {}, now)
  while (answer.status === 'step') {
    played.push(answer.key ?? '')
    answer = await advanceRun(store, { run: answer.run, output, context: findings }, now)
    if (answer.status !== 'confirmation_required') continue
    const { confirmation } = await runView(store, answer.run.split('.')[0] ?? '')
    answer = await advanceRun(store, { run: answer.run, output, context: findings, confirmation: confirmation?.code }, now)
  }
  assert.equal(answer.status, 'complete', `${entry.workflow.id}: ${answer.issues.join('; ')}`)
  return played
}
