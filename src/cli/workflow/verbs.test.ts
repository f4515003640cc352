import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plantedWorkflow } from '../../mcp/test-client.ts'
import { anAccount } from '../test-account.ts'

const file = '.troupe/workflows/planted.json'
const unknownRun = `wf_${'a'.repeat(24)}.0`

// oxfmt-ignore
const good: readonly { call: string[]; prints: string[] }[] = [
  { call: ['list'],                                          prints: ['workflows', 'refused'] },
  { call: ['show', 'planted'],                               prints: ['workflow', 'source'] },
  { call: ['validate', file],                                prints: ['valid', 'files'] },
  { call: ['schema'],                                        prints: ['formatVersion', 'schema'] },
  { call: ['new', 'my-flow'],                                prints: ['name', 'text'] },
  { call: ['migrate', file],                                 prints: ['changed', 'diff', 'written'] },
  { call: ['next', 'planted', '--completed-steps', 'first-step'],  prints: ['status', 'step'] },
  { call: ['start', 'planted', '--context', '{"size": 1}'],  prints: ['status', 'run'] },
  { call: ['runs'],                                          prints: ['runs'] },
  { call: ['run', 'planted', '--model', 'rehearsal'],        prints: ['run', 'status', 'question', 'exit_code'] },
]

// oxfmt-ignore
const bad: readonly { call: string[]; says: RegExp }[] = [
  { call: ['lsit'],                                          says: /unknown|lsit/i },
  { call: ['show'],                                          says: /workflowId/ },
  { call: ['show', 'plantd'],                                says: /did you mean planted\?/ },
  { call: ['validate', 'nowhere.json'],                      says: /nowhere\.json cannot be read/ },
  { call: ['new', 'My Flow'],                                says: /3 to 64 lower-case letters/ },
  { call: ['migrate', 'nowhere.json'],                       says: /nowhere\.json cannot be read/ },
  { call: ['next', 'planted', '--completed-steps', 'frist-step'],  says: /did you mean first-step\?/ },
  { call: ['next', 'planted', '--context', '[1]'],           says: /--context is .*expected an object/ },
  { call: ['advance', 'wf_short'],                              says: /is not a valid run handle/ },
  { call: ['advance', unknownRun, '--output', 'x'],             says: /there is no|not there|unknown/ },
  { call: ['start', 'nothing-like-it'],                      says: /there is no workflow "nothing-like-it"/ },
  { call: ['status', 'wf_nothing'],                            says: /wf_nothing/ },
  { call: ['run'],                                           says: /name a workflow, or a run with --resume/ },
  { call: ['run', 'planted', '--role', 'wizard'],            says: /wizard/ },
]

test('[W34] every verb prints one JSON value with --json and ends with 0, or with 10 where a person is needed', async (t) => {
  const account = await anAccount(t)
  await account.write(`project/${file}`, JSON.stringify(plantedWorkflow))

  const ended = await Promise.all(good.map(async (row) => ({ ...row, ...(await account.troupe('workflow', ...row.call, '--json')) })))

  for (const { call, prints, code, stdout, stderr } of ended) {
    const value: unknown = JSON.parse(stdout)
    assert.equal(code, call[0] === 'run' ? 10 : 0, `${call.join(' ')}: ${stderr}`)
    assert.ok(typeof value === 'object' && value !== null)
    for (const key of prints) assert.ok(key in value, `${call.join(' ')} prints no ${key}: ${stdout.slice(0, 300)}`)
  }
})

test('[W34] every verb refuses what it cannot use, says what would have been right, and ends with 42', async (t) => {
  const account = await anAccount(t)
  await account.write(`project/${file}`, JSON.stringify(plantedWorkflow))

  const ended = await Promise.all(bad.map(async (row) => ({ ...row, ...(await account.troupe('workflow', ...row.call)) })))

  for (const { call, says, code, stdout, stderr } of ended) {
    assert.equal(code, 42, `${call.join(' ')}: ${stderr}`)
    assert.match(stderr, says, call.join(' '))
    assert.equal(stdout, '', `${call.join(' ')} printed a result`)
  }
})
