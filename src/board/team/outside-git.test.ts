import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { outsideAgentModel } from '../../agent/outside.ts'
import { plainAgent } from '../../agent/test-agent.ts'
import type { TeamRole } from '../../domain/board/agent.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { testFolder } from '../../sandbox/test-folder.ts'
import { gitText } from '../../worktrees/repository.ts'
import { readyBoard, type TestBoard } from '../test-board.ts'
import { runTeam } from './team.ts'
import { never, testStation } from './test-team.ts'

const approval = {
  moves: [{ move: 'submit_verdict', input: { verdict: 'APPROVED', criteria: [{ criterion: 'diff', evidence: 'read' }] } }],
}

test('[B200] an outside reviewer is given the whole range as a diff and is told of no tool it lacks', async (t) => {
  const board = await readyBoard(t)
  await board.submitted(await board.agent('coder-1'), 'task-1', 'a.txt', 'two\n')

  const { seen } = await playOutside(t, board, 'code_reviewer', 'cat > "$OUT/prompt"', approval)

  const prompt = await seen('prompt')
  assert.match(prompt, /^diff --git a\/a\.txt b\/a\.txt$[^]*^-one$[^]*^\+two$/m)
  assert.doesNotMatch(prompt, /git_diff/)
  assert.equal((await board.task('task-1')).status, 'MERGED')
})

test('[B200] a range too long for a prompt is cut with the way to read on', async (t) => {
  const board = await readyBoard(t)
  const long = Array.from({ length: 9_000 }, (_, at) => `line ${at}\n`).join('')
  await board.submitted(await board.agent('coder-1'), 'task-1', 'a.txt', long)

  const { seen } = await playOutside(t, board, 'code_reviewer', 'cat > "$OUT/prompt"', approval)

  const { base_commit, review_commit } = await board.task('task-1')
  const prompt = await seen('prompt')
  assert.ok(prompt.length < 60_000)
  assert.ok(prompt.includes(`git diff ${base_commit} ${review_commit} -- FILE`))
})

test('[B200] git reads in the sandbox of an outside reviewer, writes nothing, and shows no settings, hooks or other place', async (t) => {
  const board = await readyBoard(t)
  const { root } = board.repository
  await gitText(root, ['config', 'http.extraHeader', 'Authorization: token-of-ann'])
  await board.submitted(await board.agent('coder-1'), 'task-1', 'a.txt', 'two\n')
  const before = await refsOf(board)
  const script = [
    'git log --format=%s >"$OUT/log"; git show --stat HEAD >"$OUT/show"; git blame a.txt >"$OUT/blame"; git status --porcelain >"$OUT/status"',
    'git diff HEAD~1 HEAD >"$OUT/diff"',
    'git update-ref refs/heads/integration HEAD; git branch stolen; git config user.name evil; git commit --allow-empty -m evil',
    'G=$(git rev-parse --git-common-dir); echo evil >"$G/objects/evil"; echo evil >"$G/refs/heads/evil"',
    `{ cat "$G/config"; git config --list; ls "${root}"; cat "${root}/a.txt"; } >"$OUT/hidden" 2>/dev/null`,
  ].join('\n')

  const { seen } = await playOutside(t, board, 'code_reviewer', script, approval)

  assert.equal((await seen('log')).split('\n')[0], 'Work on task-1')
  assert.match(await seen('show'), /a\.txt \|/)
  assert.match(await seen('blame'), /two/)
  assert.equal(await seen('status'), '')
  assert.match(await seen('diff'), /-one\n\+two/)
  assert.doesNotMatch(await seen('hidden'), /token-of-ann|one/)
  assert.deepEqual(
    (await refsOf(board)).filter((ref) => !ref.includes('integration')),
    before.filter((ref) => !/integration|task-1/.test(ref)),
  )
})

test('[B200] an outside coder reads git in its sandbox and commits by its move alone', async (t) => {
  const board = await readyBoard(t)
  const moves = {
    moves: [
      { move: 'commit_work', input: { message: 'List' } },
      { move: 'submit_for_review', input: {} },
    ],
  }
  const script =
    'cat >"$OUT/prompt"; echo users >list.txt; git status --porcelain >"$OUT/status"; git add . && git commit -m mine && echo yes >"$OUT/own"; true'

  const { seen } = await playOutside(t, board, 'coder', script, moves)

  assert.equal(await seen('status'), '?? list.txt\n')
  await assert.rejects(seen('own'), { code: 'ENOENT' })
  assert.doesNotMatch(await seen('prompt'), /git itself is not in your shell/)
  assert.equal((await board.task('task-1')).status, 'READY_FOR_REVIEW')
})

/** Has a program play one role; `seen` reads what it wrote into its own folder, $OUT. */
async function playOutside(t: TestContext, board: TestBoard, role: TeamRole, script: string, answer: object) {
  const [own, sandbox] = [await testFolder(t), await detectSandbox()]
  const outside = {
    name: 'outsider',
    command: '/bin/sh',
    args: ['-c', `${script}\necho '${JSON.stringify(answer)}'`],
    mounts: [own],
    env: { OUT: own },
  }
  const agent = await plainAgent({ driver: board.driver, sandbox, chosenModelFor: async (run) => outsideAgentModel(outside, run, sandbox) })
  const team = await testStation(t, board, {}, { agent, modelOf: () => 'agent/outsider' })
  await runTeam(
    team,
    { members: [{ role, id: null }], untilDone: role === 'code_reviewer' },
    role === 'coder' ? await whenSubmitted(board) : never,
  )
  return { seen: (name: string) => readFile(join(own, name), 'utf8') }
}

async function whenSubmitted(board: TestBoard): Promise<AbortSignal> {
  const stop = new AbortController()
  const stopWatching = board.driver.onAppend(() => {
    void board.task('task-1').then(({ status }) => {
      if (status !== 'READY_FOR_REVIEW') return
      stopWatching()
      stop.abort()
    })
  })
  return stop.signal
}

async function refsOf({ repository }: TestBoard): Promise<string[]> {
  return (await gitText(repository.root, ['for-each-ref', '--format=%(refname) %(objectname)'])).split('\n')
}
