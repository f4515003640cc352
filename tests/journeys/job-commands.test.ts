import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { exit } from '../../src/jobs/test-job.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { openShell } from '../open-shell.ts'
import { jobMistakes, jobStory } from './job-story.ts'
import { faultsOf, stateOf, unhelpfulIn, verbsOf } from './verb-story.ts'

const command = (action: string, summary: string) => exit(action, ['one.txt'], summary)

const script = [
  { when: { system: 'CAUTIOUS role' }, text: command('STUCK', 'I would rather not.') },
  { when: { system: 'SUPERVISOR role' }, text: command('COMPLETED', 'Good.') },
  { when: { user: 'What is it?' }, text: 'It greets.' },
  { when: { tool_output: 'one.txt' }, text: command('COMPLETED', 'Made.') },
  { when: { user: 'phase 1 of 2' }, calls: [{ tool: 'create_file', input: { path: 'one.txt', content: 'one\n' } }] },
  { text: command('COMPLETED', 'Made.') },
].map((reply) => ({ ...reply, usage: { input_tokens: 10, output_tokens: 1, cost_microusd: 7 } }))

const cautious = `---
id: cautious
name: Cautious
description: Does nothing without being sure.
permissions: [read_files]
llm_model: default
---
You are operating in CAUTIOUS role.
`

test('[J38] a job goes by every verb from draft to cleaned up: each speaks JSON, each dry run and each look changes nothing', async (t) => {
  const { account, troupe } = await openShell(t, { 'a.txt': 'one\n' })
  await gitText(account.project, ['branch', 'release'])
  const model = await account.script(script)
  await account.write('.config/troupe/config.yaml', JSON.stringify({ model }))
  const story = jobStory({ model, roleFile: await account.write('cautious.md', cautious), out: join(account.home, 'demo.patch') })

  const faults: string[] = []
  for (const line of story) faults.push(...(await faultsOf('job', line, account, troupe)))

  assert.deepEqual(faults, [])
  assert.deepEqual(new Set(story.map(({ verb }) => verb)), await verbsOf('job'))
})

test('[J38] every verb and its dry run refuse what does not fit with its exit code, a sentence that helps, and JSON; and nothing changes', async (t) => {
  const { account, troupe } = await openShell(t, { 'a.txt': 'one\n' })
  const model = await account.script(script)
  const seats = ['--worker-model', model, '--supervisor-model', model]
  await troupe('job', 'create', 'demo', '--objective', 'Make it', ...seats, '--auto-approve', '--activate')
  const ran = await troupe('job', 'run')
  assert.equal(ran.code, 0, ran.stderr)
  await troupe('job', 'create', 'idle')
  await troupe('job', 'create', 'stuck', '--objective', 'Make it', '--activate')
  await troupe('job', 'poststep', 'stuck', '--response-string', command('STUCK', 'Which?'))
  const dry = await verbsOf('job', '--dry-run')
  const before = await stateOf(account)

  const rehearsed = jobMistakes
    .filter(({ verb }) => dry.has(verb))
    .map((mistake) => ({ ...mistake, words: [...mistake.words, '--dry-run'] }))
  const faults = await unhelpfulIn('job', [...jobMistakes, ...rehearsed], troupe)

  assert.deepEqual(faults, [])
  assert.deepEqual(await stateOf(account), before)
})
