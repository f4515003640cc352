import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { JobHistory } from '../../domain/job/history.ts'
import { treeOf } from '../../../tests/tree.ts'
import { rowsOf } from '../../domain/test-each.ts'
import type { ModelRequest } from '../../providers/provider.ts'
import { approveJob } from '../steward/approve.ts'
import { jobFilePlaces } from '../view/files.ts'
import { exit, makes, testJobs } from '../test-job.ts'
import { perform } from '../../domain/operation.ts'

test('[J12] Worker and Supervisor take turns in a worktree of the job, and the user’s checkout never changes', async (t) => {
  const scene = await testJobs(t, [makes('hello.txt'), { text: exit('COMPLETED', ['hello.txt']) }, { text: exit('COMPLETED') }])
  const before = await treeOf(scene.repository.root)

  const reviewed = await scene.run()
  const done = await perform(approveJob, scene.context, { job: 'demo' })

  assert.deepEqual([reviewed.status, done.status], ['APPROVAL_REQUIRED', 'SUCCESS'])
  assert.deepEqual(
    scene.requests.map(({ system }) => /operating in (\w+) role/.exec(system)?.[1]),
    ['WORKER', 'WORKER', 'SUPERVISOR'],
  )
  assert.equal(await readFile(join(done.workspace, 'hello.txt'), 'utf8'), 'hello\n')
  const after = await treeOf(scene.repository.root)
  assert.deepEqual(outsideGit(after), outsideGit(before))
  assert.deepEqual([after['.git/HEAD'], after['.git/index']], [before['.git/HEAD'], before['.git/index']])
})

test('[J13] RUNNING is stored with process, host, start, attempt and request before the agent is asked', async (t) => {
  let seen: unknown
  const scene = await testJobs(t, [
    async () => {
      seen = await scene.job()
      return { text: exit('COMPLETED') }
    },
  ])

  await scene.step()

  const { status, active } = seen as Awaited<ReturnType<typeof scene.job>> // what the script saw
  assert.equal(status, 'RUNNING')
  assert.deepEqual([active?.pid, active?.attempt, active?.seat], [process.pid, 1, 'worker'])
  assert.equal(active?.request.prompt, `${scene.requests[0]?.system}\n\n${orderIn(scene.requests[0])}`)
})

test('[J14] jobHistory.json holds every exchange in exactly the specified shape, readable by its owner alone', async (t) => {
  const scene = await testJobs(t, [makes('hello.txt'), { text: `Done.\n${exit('COMPLETED', ['hello.txt'])}` }])

  const job = await scene.step()

  const { history, outcome } = jobFilePlaces(job)
  const written: unknown = JSON.parse(await readFile(history, 'utf8'))
  const { interactions } = JobHistory.parse(written)
  assert.deepEqual(written, {
    interactions: [
      {
        sequence: 1,
        timestamp: interactions[0]?.timestamp,
        state_before: 'PENDING',
        workspace_path: job.workspace,
        request: {
          prompt: interactions[0]?.request.prompt,
          files_context: [],
          metadata: { role: 'Worker', phase: 'default', model: 'scripted/test', temperature: null },
        },
        response: {
          status: 'SUCCESS',
          actions: ['COMPLETED'],
          evidence_files: ['hello.txt'],
          summary_for_supervisor: 'COMPLETED it is',
          raw_response: `Done.\n${exit('COMPLETED', ['hello.txt'])}`,
        },
      },
    ],
  })
  assert.match(interactions[0]?.request.prompt ?? '', /Say hello/)
  assert.deepEqual([(await stat(history)).mode & 0o777, (await stat(outcome)).mode & 0o777], [0o600, 0o600])
})

test('[J14] files_context names what the agent was given and, once each, what it read', async (t) => {
  const replies = [makes('hello.txt'), reads('a.txt'), reads('./a.txt'), reads('none.txt'), { text: exit('COMPLETED') }]
  const scene = await testJobs(t, [...replies, reads('a.txt'), { text: exit('COMPLETED') }])

  await scene.run()

  assert.deepEqual(
    (await scene.history()).map(({ interaction }) => interaction.request.files_context),
    [['a.txt'], ['hello.txt', 'a.txt']],
  )
})

test('[J68] exit commands that contradict each other are asked for once more and then count as STUCK, with every word kept', async (t) => {
  const both = `${exit('STUCK')}\n${exit('COMPLETED')}`
  const scene = await testJobs(t, [
    { text: both },
    { text: exit('COMPLETED') },
    { calls: [exitCall('RETRY'), exitCall('COMPLETED')] },
    { text: both },
  ])

  const repaired = await scene.step()
  const stuck = await scene.step()

  assert.deepEqual([repaired.status, stuck.status, stuck.reason], ['REVIEW_REQUIRED', 'INTERVENTION_REQUIRED', 'invalid'])
  assert.match(orderIn(scene.requests[1]), /contradict each other: STUCK, COMPLETED/)
  assert.deepEqual(
    (await scene.history()).map(({ interaction: { response } }) => [response.status, response.raw_response]),
    [
      ['INVALID', both],
      ['SUCCESS', exit('COMPLETED')],
      ['INVALID', `${exit('RETRY')}\n${exit('COMPLETED')}`],
      ['INVALID', both],
    ],
  )
})

test('[J10] a broken exit command is asked for once more with the exact fault, in the same thread, and both exchanges are kept', async (t) => {
  const scene = await testJobs(t, [{ text: 'I am done.' }, { text: exit('COMPLETED') }, { text: '{"action": "DONE"}' }, { text: 'Sorry?' }])

  const repaired = await scene.step()
  const stuck = await scene.step()

  assert.deepEqual([repaired.status, stuck.status, stuck.reason], ['REVIEW_REQUIRED', 'INTERVENTION_REQUIRED', 'invalid'])
  assert.match(orderIn(scene.requests[1]), /no JSON object in the answer/)
  assert.deepEqual(
    (await scene.history()).map(({ interaction: { state_before, response } }) => [state_before, response.status, response.raw_response]),
    [
      ['PENDING', 'INVALID', 'I am done.'],
      ['RUNNING', 'SUCCESS', exit('COMPLETED')],
      ['REVIEW_REQUIRED', 'INVALID', '{"action": "DONE"}'],
      ['REVIEWING', 'INVALID', 'Sorry?'],
    ],
  )
})

test('[J15] the exit tool ends a step like a command in text, and a wrong call is answered with what is wrong', async (t) => {
  const command = { action: 'RETRY', evidence_files: [], summary_for_supervisor: 'Try it with less.' }
  const scene = await testJobs(t, [{ calls: [{ tool: 'exit', input: { action: 'DONE' } }] }, { calls: [{ tool: 'exit', input: command }] }])

  const job = await scene.step()

  assert.deepEqual([job.status, job.retries], ['PENDING', 1])
  assert.deepEqual((await scene.history())[0]?.interaction.response.raw_response, JSON.stringify(command))
})

test('[J16] every step ends in a commit under its role’s name, and a claim is kept beside what is so', async (t) => {
  const claims = ['hello.txt', './a.txt', 'no.txt', '../../etc/passwd', '/etc/passwd', '.git/config']
  const scene = await testJobs(t, [makes('hello.txt'), makes('unsaid.txt'), { text: exit('COMPLETED', claims) }])

  const job = await scene.step()

  const [{ evidence, commit_before, commit_after } = assert.fail()] = await scene.history()
  assert.deepEqual(rowsOf(evidence.claimed, 'path', 'found'), [
    ['hello.txt', 'changed'],
    ['./a.txt', 'unchanged'],
    ['no.txt', 'missing'],
    ['../../etc/passwd', 'outside'],
    ['/etc/passwd', 'outside'],
    ['.git/config', 'refused'],
  ])
  assert.deepEqual(evidence.unclaimed, ['unsaid.txt'])
  assert.equal(job.head_commit, commit_after)
  assert.notEqual(commit_after, commit_before)
  assert.ok(existsSync(join(job.workspace, 'hello.txt')))
})

function reads(path: string) {
  return { calls: [{ tool: 'read_file', input: { path } }] }
}

function exitCall(action: string) {
  return { tool: 'exit', input: { action, evidence_files: [], summary_for_supervisor: `${action} it is` } }
}

function outsideGit(tree: Record<string, string>): [string, string][] {
  return Object.entries(tree).filter(([path]) => !path.startsWith('.git/'))
}

function orderIn(request: ModelRequest | undefined): string {
  return request?.entries.findLast((entry) => entry.from === 'user')?.text ?? ''
}
