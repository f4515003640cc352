import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimTask } from '../../src/board/claim.ts'
import type { Desk } from '../../src/board/desk.ts'
import { placeOf } from '../../src/board/prepare-worktree.ts'
import { agentReady, registerAgent } from '../../src/board/register.ts'
import { claimReview } from '../../src/board/review.ts'
import { submitTask } from '../../src/board/submit.ts'
import { submitVerdict } from '../../src/board/verdict.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { commitFiles } from '../../src/worktrees/test-repository.ts'
import { addListTask, openBoard, teamProject } from './team-project.ts'
import { approved, coder, committed, made, reply, reviewer, submitted, teamScript } from './team-script.ts'

const script = teamScript(
  reply(coder, 'TASK ID: ', made('list.txt', 'ann\n'), committed, submitted),
  reply(reviewer, 'TASK ID: ', approved()),
)

/** Long enough for several tries to merge. */
const SOME_TRIES_MS = 4_500

test('[B164] a team says at its start what keeps it from its goal, and why it cannot merge once, and goes on when that has changed', async (t) => {
  const project = await teamProject(t, script)
  await writeFile(join(project.project, '.gitmodules'), '')
  const desk = await openBoard(project, { auto_approve: true, integration_branch: 'main' })
  const said: string[] = []
  const has = (part: RegExp) => said.some((line) => part.test(line))
  const refusals = () => said.filter((line) => /list could not be merged: the branch main is checked out/.test(line)).length

  const team = project.start(['team', '--until-done', '--model', project.model], (line) => said.push(line))
  await until(() => has(/no task, and nobody here plans: give the team --planner/))
  await until(
    () =>
      has(/Nothing can be merged while main is checked out/) &&
      has(/merged without a test/) &&
      has(/Submodules are empty in the worktrees/),
  )
  await addListTask(desk)
  await until(() => refusals() > 0)
  await sleep(SOME_TRIES_MS)
  await gitText(project.project, ['switch', '--quiet', '--create', 'mine'])

  assert.equal(await team.ended, 0)
  assert.equal(refusals(), 1)
})

test('[B160] a merge that comes to nothing says why and ends with an exit code, so that no script takes it for done', async (t) => {
  const project = await teamProject(t, script)
  const desk = await openBoard(project)
  await addListTask(desk)
  const [coding, reviewing] = [await seated(desk, 'coder-1'), await seated(desk, 'code-reviewer-1')]
  await claimTask(desk, coding)
  const { path } = placeOf(project.project, { id: 'list' })
  const review_commit = await commitFiles(path, { 'list.txt': 'ann\n' }, 'List')
  await submitTask(desk, coding, 'list', review_commit)
  const review = await claimReview(desk, reviewing)
  const criteria = [{ criterion: 'done_when', evidence: 'list.txt' }]
  await submitVerdict(desk, reviewing, 'list', { verdict: 'APPROVED', review_commit, spec_hash: review?.spec_hash, criteria })
  await commitFiles(path, { 'more.txt': 'bob\n' }, 'One more')

  const lines: string[] = []
  const code = await project.start(['board', 'merge', 'list'], (line) => lines.push(line)).ended

  assert.equal(code, 42)
  assert.match(lines.join('\n'), /list {2}REJECTED[^]*Not merged: The approval was voided: task\/list stands at/)
})

async function seated(desk: Desk, id: string) {
  const identity = await registerAgent(desk, { id })
  await agentReady(desk, identity)
  return identity
}
