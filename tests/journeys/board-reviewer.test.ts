import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noSandbox } from '../../src/sandbox/test-no-sandbox.ts'
import { entries } from '../../src/store/run-tables.ts'
import { tasks } from '../../src/store/tables.ts'
import { fileAt } from '../../src/worktrees/test-repository.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { addListTask, openBoard, teamProject } from './team-project.ts'
import { approved, coder, committed, made, reply, reviewer, submitted, teamScript } from './team-script.ts'

/** What a reviewer may run: it proves something, and tries to leave something behind. */
const validation = [
  'cat list.txt',
  'echo ruined > list.txt',
  'touch more.txt',
  'git add --all',
  'git -c user.name=x -c user.email=x@y commit --message Mine',
  'git update-ref refs/heads/integration HEAD',
]

const script = teamScript(
  reply(coder, 'TASK ID: ', made('list.txt', 'ann\n'), committed, submitted),
  reply(reviewer, 'TASK ID: ', { tool: 'execute_command', input: { command: validation.join('; ') } }),
  reply(reviewer, 'TASK ID: ', { tool: 'update_file', input: { path: 'list.txt', old_text: 'ann', new_text: 'bob' } }),
  reply(reviewer, 'TASK ID: ', approved()),
)

test(
  '[B104] a reviewer runs validation commands, and whatever they or its tools try, the work it approves is the work it was given',
  { skip: noSandbox },
  async (t) => {
    const project = await teamProject(t, script)
    const board = await openBoard(project)
    await addListTask(board)

    const code = await project.start(['team', '--until-done', '--model', project.model]).ended

    const [task] = await tasks.list(board.driver)
    const ran = (await entries.items(board.driver)).filter((entry) => entry.from === 'tool')
    const answers = ran
      .filter(({ tool }) => tool === 'execute_command' || tool === 'update_file')
      .map(({ tool, outcome }) => [tool, outcome])
    assert.equal(code, 0)
    assert.deepEqual(answers, [
      ['execute_command', 'error'],
      ['update_file', 'denied'],
    ])
    assert.match(ran.find(({ tool }) => tool === 'execute_command')?.output ?? '', /ann/)
    assert.deepEqual([task?.item.status, task?.item.history.filter(({ event }) => event === 'approval_voided')], ['MERGED', []])
    assert.equal(await fileAt(project.project, 'integration', 'list.txt'), 'ann\n')
    assert.equal(await gitText(project.project, ['ls-tree', '--name-only', 'integration', 'more.txt']), '')
  },
)
