import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAccount } from '../test-account.ts'

const began = '2026-01-01T10:00:00Z'
const task = { id: 'task-1', description: 'Write it', status: 'UNCLAIMED', spec_ref: 'spec.md', done_when: 'a.txt lists 2', scope: 'a.txt' }
const state = {
  version: 1,
  goal: { id: 'g', description: 'Users', spec_ref: 'spec.md', created: began, status: 'IN_PROGRESS' },
  tasks: [task],
  agents: {},
  config: {},
  sprint: { goal_ref: 'g', status: 'IN_PROGRESS', scope: { planned: ['task-1'], stretch: [] }, timeline: { started: began } },
}

test('[B56] outside a repository the spec files of a document are looked for in the folder that is named, or in this one', async (t) => {
  const account = await anAccount(t)
  const file = await account.write('elsewhere/.liza/state.yaml', JSON.stringify(state))
  await account.write('elsewhere/spec.md', '# Users\n')
  const validate = (...more: string[]) => account.troupe('board', 'validate', file, ...more)
  const beside = join(account.home, 'elsewhere')

  const lost = await validate()
  const found = await validate('--cwd', beside, '--json')
  const text = await validate('--cwd', beside)

  assert.deepEqual([lost.code, found.code, text.code], [42, 0, 0])
  assert.match(lost.stderr, /INVALID \[23\] task-1: its spec spec\.md is not there/)
  assert.match(JSON.parse(found.stdout).root, /elsewhere$/)
  assert.equal(text.stdout, 'VALID\n')
})
