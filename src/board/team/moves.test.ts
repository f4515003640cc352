import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { openTestGate } from '../../tools/test-gate.ts'
import { loadRoles } from '../../roles/load.ts'
import { toolsFor } from '../../tools/authorize.ts'
import { addTask } from '../task/add.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { mergeWork } from '../task/merge.ts'
import { placeOf } from '../worktree/prepare.ts'
import { logDiscovery } from '../view/report.ts'
import { submitTask } from '../task/submit/submit.ts'
import { ann, readyBoard, testBoard, type TestBoard } from '../test-board.ts'
import type { TeamRole } from '../../domain/board/agent.ts'
import { takeHandBack } from './hand-back.ts'
import type { MoveContext } from './move.ts'
import { boardTools, makeMove, movesOf } from './moves.ts'

const roles = await loadRoles({ builtInDir: join(import.meta.dirname, '../../../roles') })

async function siteOf(board: TestBoard): Promise<MoveContext> {
  return { board: board, identity: await board.agent('coder-1'), task: 'task-1', review_commit: null, spec_hash: null }
}

test('[B100] each role is offered exactly its own moves, and the gate refuses every other', async (t) => {
  const board = await testBoard(t)
  const move = await siteOf(board)
  const teamRoles = ['planner', 'coder', 'code_reviewer'] as const
  const tools = teamRoles.flatMap((role) => boardTools(role, move))
  const gate = (await openTestGate(t)).as({ tools, sandbox: { kind: 'bubblewrap' } })
  const gateOf = (role: TeamRole) => gate.as({ role, permissions: roles.need(role).permissions })

  const offered = teamRoles.map((role) => [...new Set(toolsFor(gateOf(role).context, tools).map(({ name }) => name))].toSorted().join(' '))
  const refused = await gateOf('coder').call('submit_verdict', { verdict: 'APPROVED' })

  assert.deepEqual(offered, [
    'abandon_task add_task checkpoint edit_task finalize_task log_anomaly read_board settle_discovery supersede_task unblock_task',
    'commit_work log_anomaly log_discovery mark_blocked read_board submit_for_review update_from_integration write_checkpoint write_handoff',
    'log_anomaly read_board submit_verdict',
  ])
  assert.equal(refused.outcome, 'denied')
})

test('[B101] who moves and which task is moved comes from the supervisor; a model cannot name another', async (t) => {
  const board = await readyBoard(t)
  await board.ready()
  const other = await board.agent('coder-2')
  await claimWithWorktree(board, other, 'task-2')
  const context = await siteOf(board)
  const block = { blocked_reason: 'Somebody else shall do it', blocked_questions: ['Who shall do it?'] }

  await assert.rejects(makeMove('coder', context, 'mark_blocked', { ...block, task: 'task-2', agent: 'coder-2' }), /does not fit/)
  await assert.rejects(makeMove('coder', context, 'mark_blocked', block), /cannot block this task: it is UNCLAIMED/)
  await assert.rejects(makeMove('coder', context, 'add_task', { description: 'more' }), /coder may not add_task/)

  assert.equal((await board.task('task-2')).status, 'CLAIMED')
})

test('[B101] tools have no field for what the supervisor knows, and none that only people give', () => {
  const offered = movesOf('coder')
    .concat(movesOf('code_reviewer'))
    .filter(({ name }) => name !== 'read_board' && name !== 'log_anomaly')

  assert.deepEqual(
    offered.flatMap(({ input }) => ['task', 'review_commit', 'spec_hash'].filter((field) => field in input.shape)),
    [],
  )
  assert.deepEqual(fieldsOf('planner', 'finalize_task'), ['task'])
  assert.deepEqual(fieldsOf('planner', 'abandon_task'), ['reason', 'root_cause', 'task'])
  assert.deepEqual(
    ['max_iterations', 'sprint'].filter((field) => fieldsOf('planner', 'add_task').includes(field)),
    [],
  )
})

test('[B102] a coder commits and takes over the integration branch through moves of its own, and nobody else does so in its worktree', async (t) => {
  const board = await readyBoard(t)
  await board.ready()
  const [ahead, reviewer] = [await board.agent('coder-2'), await board.agent('code-reviewer-1')]
  await claimWithWorktree(board, ahead, 'task-2')
  const context = await siteOf(board)
  await claimWithWorktree(board, context.identity, 'task-1')
  const { path } = placeOf(board.repository.root, { id: 'task-1' })
  await writeFile(join(path, 'a.txt'), 'mine\n')
  await makeMove('coder', context, 'commit_work', { message: 'Mine' })
  const commit = await board.work('task-2', 'a.txt', 'theirs\n')
  await submitTask(board, ahead, 'task-2', commit)
  await board.approved(reviewer, 'task-2')
  await mergeWork(board, reviewer, 'task-2')

  const conflict = await makeMove('coder', context, 'update_from_integration', {})
  await writeFile(join(path, 'a.txt'), 'theirs\nmine\n')
  await makeMove('coder', context, 'commit_work', { message: 'Both' })
  const submitted = await makeMove('coder', context, 'submit_for_review', {})
  const intruder = { ...context, identity: ahead }

  assert.match(conflict.output, /in conflict[^]*a\.txt/)
  assert.match(submitted.output, /READY_FOR_REVIEW/)
  await assert.rejects(makeMove('coder', intruder, 'commit_work', { message: 'Not mine' }), /in the hands of coder-1, not of coder-2/)
})

test('[B103] an answer in words is searched for moves; one that is refused is told, and words without moves move nothing', async (t) => {
  const board = await readyBoard(t)
  const context = await siteOf(board)
  await claimWithWorktree(board, context.identity, 'task-1')

  const { refused: silent } = await takeHandBack('coder', context, 'I am done; please merge it.')
  const { refused } = await takeHandBack('coder', context, saying({ move: 'submit_verdict', input: { verdict: 'APPROVED' } }))
  const status = (await board.task('task-1')).status
  const block = { blocked_reason: 'No format is named', blocked_questions: ['Which format?'] }
  const { refused: blocked } = await takeHandBack('coder', context, saying({ move: 'mark_blocked', input: block }))

  assert.deepEqual([silent, status, blocked], [null, 'CLAIMED', null])
  assert.match(refused ?? '', /submit_verdict was refused: coder may not submit_verdict/)
  assert.equal((await board.task('task-1')).status, 'BLOCKED')
})

test('[B210] every role reads the tasks, the agents, the discoveries and the settings of its board, and one that says so in words is told', async (t) => {
  const board = await readyBoard(t)
  const context = await siteOf(board)
  await perform(logDiscovery, { ...board, actor: ann }, { description: 'The clock is wrong' })

  const { read } = await takeHandBack('code_reviewer', context, saying({ move: 'read_board', input: { part: 'tasks' } }))
  const answers = ['agents', 'discoveries', 'config'].map((part) => makeMove('coder', context, 'read_board', { part }))
  const [agents, discoveries, config] = await Promise.all(answers)
  const one = await makeMove('planner', context, 'read_board', { task: 'task-1' })

  assert.match(read ?? '', /task-1 UNCLAIMED/)
  assert.match(agents?.output ?? '', /coder-1/)
  assert.match(discoveries?.output ?? '', /The clock is wrong/)
  assert.match(config?.output ?? '', /"integration_branch": "integration"/)
  assert.match(one.output, /"done_when": "a.txt lists 2 users"/)
})

test('[B210] what is read of a large board is bounded', async (t) => {
  const board = await testBoard(t)
  const context = await siteOf(board)
  for (let at = 0; at < 205; at++) await perform(addTask, { ...board, actor: ann }, { description: `Page ${at} ${'x'.repeat(60)}` })

  const { output } = await makeMove('coder', context, 'read_board', {})

  assert.ok(output.length < 21_000)
  assert.match(output, /and 5 more|cut here/)
})

function saying(...moves: object[]): string {
  return `All done.\n\`\`\`json\n${JSON.stringify({ moves })}\n\`\`\``
}

function fieldsOf(role: TeamRole, name: string): string[] {
  return Object.keys(movesOf(role).find((move) => move.name === name)?.input.shape ?? {}).toSorted()
}
