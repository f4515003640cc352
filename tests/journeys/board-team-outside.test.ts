import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ann } from '../../src/board/test-board.ts'
import { perform } from '../../src/domain/operation.ts'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { addHumanNote } from '../../src/board/view/report.ts'
import { movesOf } from '../../src/board/team/moves.ts'
import { launcher } from '../../src/cli/test-account.ts'
import type { TeamRole } from '../../src/domain/board/agent.ts'
import { boardAgents, tasks } from '../../src/store/tables.ts'
import { fileAt } from '../../src/worktrees/test-repository.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { addListTask, openBoard, teamProject, type TeamProject } from './team-project.ts'
import { approved, reply, reviewer, teamScript } from './team-script.ts'

const script = teamScript(reply(reviewer, 'TASK ID: ', approved()))

test('[B105] an agent with an id gets over MCP exactly the moves of its role, works with its own git, and leaves when it hangs up', async (t) => {
  const project = await teamProject(t, script)
  const board = await openBoard(project)
  await addListTask(board)
  const client = await connect(t, project, 'coder-1')

  const { tools } = await client.listTools()
  const given = await client.callTool({ name: 'next_assignment', arguments: { wait_seconds: 5 } })
  const { assignment } = given.structuredContent as { assignment: { task: string; workspace: string; prompt: string } } // the tool's own schema
  await writeFile(join(assignment.workspace, 'list.txt'), 'ann\n')
  await gitText(assignment.workspace, ['add', '--all'])
  await gitText(assignment.workspace, ['-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '--quiet', '--message', 'List'])
  const submitted = await client.callTool({ name: 'submit_for_review', arguments: {} })
  const refused = await client.callTool({ name: 'submit_verdict', arguments: {} }).catch((error: unknown) => error)
  await client.close()
  const code = await project.start(['team', '--coders', '0', '--until-done', '--model', project.model]).ended

  const names = tools.map(({ name }) => name).filter((name) => !name.startsWith('workflow_'))
  assert.deepEqual(names.toSorted(), [...namesOf('coder'), 'next_assignment'].toSorted())
  assert.match(assignment.prompt, /CODER role[^]*TASK ID: list[^]*DONE WHEN: list.txt exists/)
  assert.deepEqual((submitted.structuredContent as { ended: boolean }).ended, true) // the tool's own schema
  assert.ok(refused instanceof Error || (refused as { isError?: boolean }).isError === true)
  assert.deepEqual(await boardAgents.list(board.driver), [])
  assert.equal(code, 0)
  assert.equal(await fileAt(project.project, 'integration', 'list.txt'), 'ann\n')
})

test('[B105] [B87] planner, coder and code reviewer may all be outside agents over MCP, each with its own moves alone, and what is approved is merged', async (t) => {
  const project = await teamProject(t, script)
  const { driver } = await openBoard(project)
  const outside = { planner: 'planner-1', coder: 'coder-1', reviewer: 'code-reviewer-1' }
  const plan = { id: 'list', description: 'List', kind: 'doc', spec_ref: 'spec.md', done_when: 'list.txt exists', scope: 'IN: a file' }
  const criteria = [{ criterion: 'done_when', evidence: 'list.txt' }]

  const planning = await at(t, project, outside.planner)
  await planning.move('add_task', plan)
  await planning.move('finalize_task', { task: 'list' })
  await planning.close()
  const coding = await at(t, project, outside.coder)
  await writeFile(join(coding.assignment.workspace, 'list.txt'), 'ann\n')
  await coding.move('commit_work', { message: 'List' })
  await coding.move('submit_for_review', {})
  await coding.close()
  const reviewing = await at(t, project, outside.reviewer)
  await assert.rejects(reviewing.move('commit_work', { message: 'Mine' }), /commit_work/)
  await reviewing.move('submit_verdict', { verdict: 'APPROVED', criteria })
  await reviewing.close()

  const [task] = await tasks.list(driver)
  assert.deepEqual([planning.moves, reviewing.moves], [namesOf('planner'), namesOf('code_reviewer')])
  assert.deepEqual([task?.item.status, task?.item.assigned_to, task?.item.approved_by], ['MERGED', outside.coder, outside.reviewer])
})

test('[B106] an outside agent without our tools works in the sandbox of its role and says its moves as JSON in its answer', async (t) => {
  const project = await teamProject(t, script)
  await addListTask(await openBoard(project))
  const moves = {
    moves: [
      { move: 'commit_work', input: { message: 'List' } },
      { move: 'submit_for_review', input: {} },
    ],
  }
  const answer = `echo ann > list.txt; echo '${JSON.stringify(moves)}'`
  const config = { agents: { script: { command: '/bin/sh', args: ['-c', answer] } } }
  await project.write('.config/troupe/config.yaml', JSON.stringify(config))

  const coding = project.start(['agent', 'coder', '--model', 'agent/script', '--until-done'], undefined, { TROUPE_AGENT_ID: 'coder-1' })
  const code = await project.start(['team', '--coders', '0', '--until-done', '--model', project.model]).ended

  assert.equal(code, 0)
  assert.equal(await coding.ended, 0)
  assert.equal(await fileAt(project.project, 'integration', 'list.txt'), 'ann\n')
})

test('[B88] an outside agent that exits 0 having done nothing leaves its task BLOCKED with a question, and nothing is handed in', async (t) => {
  const project = await teamProject(t, script)
  const board = await openBoard(project)
  await addListTask(board)
  await project.write('.config/troupe/config.yaml', JSON.stringify({ agents: { idle: { command: '/bin/true', args: [] } } }))
  const blocked = Promise.withResolvers<void>()
  const hear = (line: string) => (/ blocked list:/.test(line) ? blocked.resolve() : undefined)

  const { child, ended } = project.start(['agent', 'coder', '--model', 'agent/idle'], hear, { TROUPE_AGENT_ID: 'coder-1' })
  await Promise.race([blocked.promise, ended])
  child.kill('SIGTERM')
  await ended

  const [task] = await tasks.list(board.driver)
  assert.deepEqual([task?.item.status, task?.item.failed_by, task?.item.review_commit], ['BLOCKED', ['coder-1'], null])
  assert.match(`${task?.item.blocked_reason} ${task?.item.blocked_questions[0]}`, /ended several times without handing anything in.*\?$/)
  assert.deepEqual(await boardAgents.list(board.driver), [])
})

test('[B107] a script plays coder with the command line alone, under the id in its environment, and is told what a prompt would tell', async (t) => {
  const project = await teamProject(t, script)
  const board = await openBoard(project)
  await addListTask(board)
  await perform(addHumanNote, { ...board, actor: ann }, { task: 'list', message: 'Mind the order' })
  const troupe = `"${launcher}"`
  const work = [
    'set -e',
    `${troupe} board claim`,
    'echo ann > .troupe/worktrees/list/list.txt',
    'git -C .troupe/worktrees/list add list.txt',
    'git -C .troupe/worktrees/list -c user.name=x -c user.email=x@y commit --quiet --message List',
    `${troupe} board submit list`,
    `${troupe} board leave`,
  ]
  const env = { ...project.env, TROUPE_AGENT_ID: 'coder-4' }

  const coded = spawnSync('/bin/sh', ['-c', work.join('\n')], { cwd: project.project, env, encoding: 'utf8' })
  assert.equal(coded.status, 0, coded.stderr)
  const code = await project.start(['team', '--coders', '0', '--until-done', '--model', project.model]).ended

  assert.equal(code, 0)
  const [task] = await tasks.list(board.driver)
  assert.deepEqual([task?.item.status, task?.item.assigned_to], ['MERGED', 'coder-4'])
  assert.match(coded.stdout, /Note of ann: Mind the order/)
})

function namesOf(role: TeamRole): string[] {
  return movesOf(role)
    .map(({ name }) => name)
    .toSorted()
}

/** An outside agent that was given its assignment. */
async function at(t: TestContext, project: TeamProject, id: string) {
  const client = await connect(t, project, id)
  const { tools } = await client.listTools()
  const given = await client.callTool({ name: 'next_assignment', arguments: { wait_seconds: 20 } })
  const { assignment } = given.structuredContent as { assignment: { workspace: string } } // the tool's own schema
  const names = tools.map(({ name }) => name).filter((name) => !name.startsWith('workflow_') && name !== 'next_assignment')

  async function move(name: string, input: Record<string, unknown>): Promise<void> {
    const answer = await client.callTool({ name, arguments: input })
    if (answer.isError === true) throw new Error(`${name}: ${JSON.stringify(answer.content)}`)
  }
  return { moves: names.toSorted(), assignment, move, close: () => client.close() }
}

async function connect(t: TestContext, project: TeamProject, id: string): Promise<Client> {
  const env = { ...project.env, TROUPE_AGENT_ID: id }
  const transport = new StdioClientTransport({ command: launcher, args: ['mcp'], cwd: project.project, env, stderr: 'inherit' })
  const client = new Client({ name: 'outside', version: '0' })
  await client.connect(transport)
  t.after(() => client.close())
  return client
}
