import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { wholeProgram } from '../../src/cli/program.ts'
import type { Account } from '../../src/cli/test-account.ts'
import { log } from '../../src/store/log.ts'
import { openStore } from '../../src/store/open.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { mistakes, storyWith, type Line } from './job-story.ts'
import { isJson, isProblem, openShell, type Command } from '../open-shell.ts'
import { treeOf } from '../tree.ts'

const command = (action: string, summary: string) =>
  JSON.stringify({ action, evidence_files: ['one.txt'], summary_for_supervisor: summary })

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
  const model = `scripted:${await account.write('script.json', JSON.stringify(script))}`
  await account.write('.config/troupe/config.yaml', JSON.stringify({ model }))
  const story = storyWith({ model, roleFile: await account.write('cautious.md', cautious), out: join(account.home, 'demo.patch') })
  const jobVerbs = (await wholeProgram()).commands.find((noun) => noun.name() === 'job')?.commands.map((verb) => verb.name())

  const faults: string[] = []
  for (const line of story) faults.push(...(await faultsOf(line, account, troupe)))

  assert.deepEqual(faults, [])
  assert.deepEqual(new Set(story.map(({ verb }) => verb)), new Set(jobVerbs))
})

test('[J38] every verb refuses what does not fit with its exit code, a sentence that helps, and JSON; and nothing changes', async (t) => {
  const { account, troupe } = await openShell(t, { 'a.txt': 'one\n' })
  const model = `scripted:${await account.write('script.json', JSON.stringify(script))}`
  const seats = ['--worker-model', model, '--supervisor-model', model]
  await troupe('job', 'create', 'demo', '--objective', 'Make it', ...seats, '--auto-approve', '--activate')
  const ran = await troupe('job', 'run')
  assert.equal(ran.code, 0, ran.stderr)
  const before = await stateOf(account)

  const faults: string[] = []
  for (const { verb, words, says } of mistakes) {
    const { code, stdout, stderr } = await troupe('job', verb, ...words, '--json')
    const told = `job ${verb} ${words.join(' ')} ended with ${code}: ${stderr.trim()}`
    if (code !== 42 || !says.test(stderr) || stderr.trim().split('\n').length !== 1) faults.push(told)
    if (!isProblem(stdout)) faults.push(`${told}; on stdout: ${stdout}`)
  }

  assert.deepEqual(faults, [])
  assert.deepEqual(await stateOf(account), before)
})

async function faultsOf({ verb, words, looks, dry, code = 0, says }: Line, account: Account, troupe: Command): Promise<string[]> {
  const before = looks || dry ? await stateOf(account) : null
  const rehearsed = dry ? await troupe('job', verb, ...words, '--dry-run', '--json') : null
  const between = dry ? await stateOf(account) : before
  const ended = await troupe('job', verb, ...words, '--json')
  const after = looks ? await stateOf(account) : null
  const line = `job ${verb} ${words.join(' ')}`
  return [
    ...(rehearsed && (rehearsed.code !== 0 || !isJson(rehearsed.stdout)) ? [`${line} --dry-run: ${JSON.stringify(rehearsed)}`] : []),
    ...(JSON.stringify(before) === JSON.stringify(between) ? [] : [`${line} --dry-run changed something`]),
    ...(ended.code === code && isJson(ended.stdout) && says.test(ended.stdout) ? [] : [`${line}: ${JSON.stringify(ended)}`]),
    ...(looks && JSON.stringify(after) !== JSON.stringify(before) ? [`${line} changed something`] : []),
  ]
}

/** Everything a verb could change: the store, whose log grows with each write, the jobs' folders, and the person's own. */
async function stateOf(account: Account): Promise<unknown> {
  const store = await openStore(`sqlite:${join(account.home, '.local/share/troupe/troupe.db')}`)
  const seq = await log.last(store)
  await store.close()
  const jobs = await treeOf(join(account.home, '.local/share/troupe-jobs')).catch(() => ({}))
  const { '.git/index': _, ...project } = await treeOf(account.project) // git refreshes it when it looks
  return [seq, jobs, project]
}
