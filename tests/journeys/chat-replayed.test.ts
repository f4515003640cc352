import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAccount, runTroupe, type Account } from '../../src/cli/test-account.ts'
import { asking } from '../replies.ts'

const plan = { goal: 'Write a greeting', steps: [{ step_number: 1, action: 'Create greeting.txt' }] }
const replies = [
  { calls: [{ tool: 'list_directory', input: { path: '.' } }] },
  { text: JSON.stringify(plan) },
  { text: JSON.stringify(asking('In capitals?', { yes: 'Yes', no: 'No' })) },
  { calls: [{ tool: 'create_file', input: { path: 'greeting.txt', content: 'HELLO\n' } }] },
  { text: 'Written.' },
]

test('[J55] a chat is printed as a recording and played again from it by the same words, without a model; other words end it with the difference', async (t) => {
  const account = await anAccount(t)
  const model = await account.script({ follow: 'thread', replies })
  const words = 'greet\n/execute\n1\n'
  const first = await chat(account, model, words)

  const recording = await account.troupe('chat', 'recording')
  const replay = `replay:${await account.write('recording.json', recording.stdout)}`
  await rm(join(account.project, 'greeting.txt'))
  const again = await chat(account, replay, words)
  const written = await readFile(join(account.project, 'greeting.txt'), 'utf8')
  const other = await chat(account, replay, 'good bye\n')
  const unknown = await account.troupe('chat', 'recording', 'chat_none', '--json')

  assert.match(first, /Plan 1 \(draft\): Write a greeting[^]*In capitals\?[^]*✓ create_file[^]*Written\./)
  assert.equal(again, first)
  assert.equal(written, 'HELLO\n')
  assert.match(other, /the thread differs from the recording at entry 1: recorded user "greet"; now user "good bye"/)
  assert.deepEqual([unknown.code, JSON.parse(unknown.stdout).error.code], [42, 'not_found'])
})

/** What a chat of these lines shows. */
async function chat({ project: cwd, env }: Account, model: string, lines: string): Promise<string> {
  const { stdout, stderr } = await runTroupe(['chat', '--model', model], { cwd, env }, lines)
  return stdout || stderr
}
