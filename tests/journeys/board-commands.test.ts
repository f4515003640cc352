import assert from 'node:assert/strict'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { wholeProgram } from '../../src/cli/program.ts'
import type { Account } from '../../src/cli/test-account.ts'
import { agentAuthor, commitAll } from '../../src/worktrees/commit.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { openShell, type Command } from '../open-shell.ts'
import { boardMistakes, boardStory } from './board-story.ts'
import { faultsOf, unhelpfulIn, verbsOf } from './verb-story.ts'

const files = { 'spec.md': '# Users\n\nList both.\n', 'verdict.yaml': 'verdict: APPROVED\n' }
const half = { spec_ref: 'spec.md', scope: 'IN: half', kind: 'doc' }
const replacements = [
  { id: 'two-a', description: 'Write half', done_when: 'two-a.txt lists 1 user', ...half },
  { id: 'two-b', description: 'Write the other half', done_when: 'two-b.txt lists 1 user', ...half },
]
const state = `version: 1
goal: {id: g, description: Imported, spec_ref: spec.md, created: "2026-01-01T10:00:00Z", status: IN_PROGRESS, alignment_history: []}
tasks: [{id: task-1, description: Write it, status: UNCLAIMED, priority: 1, created: "2026-01-01T10:00:00Z", spec_ref: spec.md, done_when: a.txt lists 2, scope: a.txt, history: []}]
agents: {}
discovered: []
handoff: {}
human_notes: []
anomalies: []
spec_changes: []
sprint: {id: s, goal_ref: g, status: IN_PROGRESS, scope: {planned: [task-1], stretch: []}, timeline: {started: "2026-01-01T10:00:00Z"}}
circuit_breaker: {status: OK, history: []}
config: {}
`

test('[B55] a goal goes by every verb from its board to its end: each speaks JSON, each dry run and each look changes nothing', async (t) => {
  const { account, troupe } = await openShell(t, files)
  const story = boardStory({
    replacements: await account.write('replacements.json', JSON.stringify(replacements)),
    verdict: join(account.home, 'verdict.json'),
    state: await account.write('state.yaml', state),
    out: join(account.home, 'out.yaml'),
  })

  const faults: string[] = []
  for (const line of story) {
    if (line.work !== undefined) await commitWork(account, line.work)
    faults.push(...(await faultsOf('board', line, account, troupe)))
  }

  assert.deepEqual(faults, [])
  assert.deepEqual(new Set(story.map(({ verb }) => verb)), await verbsOf('board'))
})

test('[B160] every verb of the board refuses what does not fit with its exit code, one sentence that helps, and JSON; and nothing changes', async (t) => {
  const { troupe } = await openShell(t, files)
  await troupe('board', 'init', 'List the users', '--spec', 'spec.md')
  await troupe('board', 'add', '--id', 'one', '--description', 'List them')
  const before = await recordOf(troupe)

  const faults = await unhelpfulIn('board', boardMistakes, troupe)

  assert.deepEqual(faults, [])
  assert.deepEqual(await recordOf(troupe), before)
})

test('[B161] the help of every verb of the board shows an example that begins with the verb', async () => {
  const board = (await wholeProgram()).commands.find((noun) => noun.name() === 'board')

  const without = (board?.commands ?? []).filter((verb) => {
    let help = ''
    verb.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
    return !help.includes(`troupe board ${verb.name()}`) || !/Example:/.test(help)
  })

  assert.deepEqual(
    without.map((verb) => verb.name()),
    [],
  )
})

/** All that is on the board and all that its log tells. */
async function recordOf(troupe: Command): Promise<unknown> {
  return [JSON.parse((await troupe('board', 'export', '--json')).stdout), (await troupe('board', 'log')).stdout]
}

/** What a coder commits, and the verdict a reviewer will give on it. */
async function commitWork(account: Account, task: string): Promise<void> {
  const worktree = join(account.project, '.troupe/worktrees', task)
  await appendFile(join(worktree, `${task}.txt`), 'ann\nbob\n')
  await commitAll(worktree, 'Work', agentAuthor('coder-1'))
  const where = { file: `${task}.txt`, location: '1', criterion: 'done_when' }
  const blocker = { ...where, defect: 'Both are listed.', fix: 'List only one of them.', anomaly_logged: false }
  const review_commit = await gitText(worktree, ['rev-parse', 'HEAD'])
  await account.write('verdict.json', JSON.stringify({ verdict: 'REJECTED', review_commit, blockers: [blocker] }))
}
