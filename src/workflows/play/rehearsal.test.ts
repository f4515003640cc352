import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rehearsalProvider } from '../../providers/rehearsal/rehearsal.ts'
import { openCatalogue, workflowFolders } from '../files/catalogue.ts'
import { demandsOf } from './assignment.ts'
import { startPlay } from './start.ts'
import { finish, testPlay, toTheEnd } from './test-play.ts'

test('[W97] [W36] without any model the rehearsal plays every built-in workflow to its end', async (t) => {
  const { entries } = await openCatalogue(workflowFolders('/nowhere', { HOME: '/nowhere' })).read()
  const provider = rehearsalProvider()
  for (const entry of entries.values()) {
    const play = await testPlay(t, [], { chosenModelFor: async () => ({ provider, model: 'rehearsal' }) })
    const { id } = await startPlay(play.context, entry, { workspace: play.workspace })

    const { status } = await toTheEnd(play.context, id, { value: 'confirm' })

    const asked = play.news.flatMap((news) => (news.type === 'waits' ? [news.question] : []))
    assert.equal(status, 'completed', entry.workflow.id)
    assert.deepEqual(
      asked.filter((question) => !question.startsWith('Is this step done')),
      [],
      `${entry.workflow.id} asked for help`,
    )
  }
  assert.ok(entries.size >= 6)
})

test('[W97] the agent is told what its output is judged by, and only by what applies', async (t) => {
  const play = await testPlay(t, [finish('the plan: go')])
  const rules = [
    { type: 'contains', value: 'plan', message: 'Name the plan.' },
    { type: 'length', min: 500, message: 'Be long.', condition: { var: 'size', equals: 'large' } },
  ]

  await play.begin({ steps: [{ id: 'one', title: 'One', prompt: 'Do.', validationCriteria: rules }] }, { context: { size: 'small' } })

  const system = play.requests[0]?.system ?? ''
  assert.match(system, /## What the output is judged by\n- the output contains "plan" — Name the plan\.\n/)
  assert.ok(!system.includes('Be long.'))
})

test('[W97] choices and prohibitions are told as such', () => {
  const choice = { or: [word('yes'), word('no')] }

  const demands = demandsOf({ and: [choice, { not: word('perhaps') }] }, {})

  assert.deepEqual(demands, ['contains "yes" | or contains "no"', 'not: contains "perhaps"'])
})

function word(value: string) {
  return { type: 'contains' as const, value, message: '' }
}
