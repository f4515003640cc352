import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openWire } from '../../tests/open-wire.ts'
import { outsideAgentModel } from '../agent/outside.ts'
import { JobHistory } from '../domain/job/history.ts'
import { each, rowsOf } from '../domain/test-each.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { activateJob } from './steward/activate.ts'
import { configureJob } from './steward/configure.ts'
import { jobFilePlaces } from './view/files.ts'
import { resubmitJob } from './steward/resubmit.ts'
import { runJobs } from './run.ts'
import { stepJob } from './step/step.ts'
import { gitText } from '../worktrees/repository.ts'
import { exit, makes, never, testJobs, type TestJob, makeJob } from './test-job.ts'
import { perform } from '../domain/operation.ts'

test('[J23] cost, time and steps each stop a job before its next step, with the reason', async (t) => {
  const usage = { input_tokens: 10, output_tokens: 10, cost_microusd: 600 }
  const costly = await testJobs(
    t,
    [
      { text: exit('RETRY'), usage },
      { text: exit('RETRY'), usage },
    ],
    { limits: { max_cost_microusd: 1000 } },
  )
  const slow = await testJobs(t, [{ text: exit('RETRY'), delay_ms: 30 }], { limits: { max_wall_ms: 20 } })
  const many = await testJobs(t, [{ text: exit('RETRY') }, { text: exit('RETRY') }], { limits: { max_iterations: 1 } })

  const stopped = [await costly.run(), await slow.run(), await many.run()]

  assert.deepEqual(rowsOf(stopped, 'status', 'reason'), [
    ['INTERVENTION_REQUIRED', 'cost'],
    ['INTERVENTION_REQUIRED', 'time'],
    ['INTERVENTION_REQUIRED', 'iterations'],
  ])
  assert.deepEqual([stopped[0]?.usage.cost_microusd, (await many.history()).length], [1200, 1])
  for (const { reason_text } of stopped)
    assert.match(reason_text, /raise its setting max_(cost_usd|minutes|iterations), then resubmit the job$/)
})

test('[J23] a raised limit and a resubmission let a job go on', async (t) => {
  const scene = await testJobs(t, [{ text: exit('RETRY') }, { text: exit('COMPLETED') }], { limits: { max_iterations: 1 } })
  await scene.run()

  await perform(configureJob, scene.context, { job: 'demo', spec: { limits: { max_iterations: 5 } } })
  await perform(resubmitJob, scene.context, { job: 'demo' })
  const after = await scene.step()

  assert.equal(after.status, 'REVIEW_REQUIRED')
})

test('[J26] nothing an agent says or leaves behind keeps its answer from being recorded', async (t) => {
  const odd = await testJobs(t, [makes('hello.txt'), { text: exit('COMPLETED', ['hello.txt'], 'Said with a \0 in it') }])
  const nested = await testJobs(t, [makes('sub/hello.txt'), { text: exit('COMPLETED') }])
  const refused = await testJobs(t, [makes('.gitattributes', '* working-tree-encoding=NOPE\n'), { text: exit('COMPLETED') }])
  await mkdir(join((await nested.job()).workspace, 'sub'))
  await gitText(join((await nested.job()).workspace, 'sub'), ['init', '--quiet'])

  const after = [await odd.step(), await nested.step(), await refused.step()]

  assert.deepEqual(each(after, 'status'), ['REVIEW_REQUIRED', 'REVIEW_REQUIRED', 'INTERVENTION_REQUIRED'])
  assert.match(after[2]?.reason_text ?? '', /cannot be committed: .*NOPE/)
  assert.deepEqual(
    (await nested.history())[0]?.evidence.changed.map(({ path }) => path),
    ['sub/hello.txt'],
  )
  const kept = await Promise.all([odd, nested, refused].map(async (scene) => (await scene.history()).length))
  assert.deepEqual(kept, [1, 1, 1])
})

test('[J12] [J26] an agent that cuts its workspace off from git has nothing committed in the checkout around it', async (t) => {
  const cutOff = async () => {
    await rm(join(directory, 'workspace/.git'))
    return { text: exit('COMPLETED') }
  }
  const scene = await testJobs(t, [cutOff])
  const { root } = scene.repository
  const directory = join(root, 'inside')
  await makeJob(scene.context, { id: 'inner', source: root, dir: directory, spec: { objective: 'Say hello' } })
  await perform(activateJob, scene.context, { job: 'inner' })
  await writeFile(join(root, 'a.txt'), 'half done\n')
  const before = await gitText(root, ['rev-parse', 'HEAD'])

  const after = await stepJob(scene.context, 'inner', never)

  assert.equal(await gitText(root, ['rev-parse', 'HEAD']), before)
  assert.deepEqual([after.status, after.head_commit, after.history.interactions], ['INTERVENTION_REQUIRED', after.base_commit, 1])
  assert.match(after.reason_text, /cannot be committed: .*workspace is no longer a worktree/)
})

test('[J24] an agent that says and does nothing for too long is stopped, recorded and tried again', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED'), fail: 'hang' }], { limits: { max_silence_ms: 200 } })

  const hung = await scene.step()
  const after = await scene.step()

  assert.deepEqual([hung.status, hung.failures, after.status, after.failures], ['PENDING', 1, 'REVIEW_REQUIRED', 0])
  assert.deepEqual(await scene.answers(), ['TIMEOUT', 'SUCCESS'])
})

test('[J25] a question in a job goes to the Steward as STUCK, with its words', async (t) => {
  const question = { type: 'question', question: 'Tabs or spaces?', severity: 'minor', options: [{ label: 'Tabs', value: 'tabs' }] }
  const scene = await testJobs(t, [{ text: JSON.stringify(question) }])

  const job = await scene.step()

  assert.deepEqual([job.status, job.reason], ['INTERVENTION_REQUIRED', 'question'])
  assert.match(job.reason_text, /Tabs or spaces\?/)
  assert.ok(scene.requests[0]?.tools.every(({ name }) => name !== 'ask_user'))
})

test('[J26] outside agents that die, flood, answer garbage, ask, or run out of quota leave a record and a job that can go on', async (t) => {
  const command = exit('COMPLETED', ['made.txt'])
  const agents: Record<string, string> = {
    good: `echo hello > made.txt; echo 'All done:'; echo '${command}'`,
    dies: 'kill -9 $$',
    floods: `yes '{ "action": ' | head -c 3000000; echo; echo '${command}'`,
    garbage: `head -c 20000 /dev/urandom; echo '{"action": "COMPLETED"'`,
    asks: 'printf "Continue? [y/N] "; read answer; echo "no answer"',
    quota: 'echo "429: quota exceeded" >&2; exit 1',
  }
  const ended: Record<string, unknown> = {}

  for (const [name, script] of Object.entries(agents)) {
    const scene = await withOutside(t, script)
    const job = await scene.step()
    ended[name] = [job.status, job.reason, job.failures, ...(await scene.answers())]
  }

  assert.deepEqual(ended, {
    good: ['REVIEW_REQUIRED', null, 0, 'SUCCESS'],
    dies: ['PENDING', null, 1, 'ERROR'],
    floods: ['REVIEW_REQUIRED', null, 0, 'SUCCESS'],
    garbage: ['INTERVENTION_REQUIRED', 'invalid', 0, 'INVALID', 'INVALID'],
    asks: ['INTERVENTION_REQUIRED', 'invalid', 0, 'INVALID', 'INVALID'],
    quota: ['PENDING', null, 1, 'ERROR'],
  })
})

test('[J26] an outside agent that says nothing for too long, or never stops talking, is stopped and recorded', async (t) => {
  const silent = await withOutside(t, 'exec sleep 600', { limits: { max_silence_ms: 500 } })
  const endless = await withOutside(t, 'exec yes talk')

  const jobs = [await silent.step(), await endless.step()]

  assert.deepEqual(rowsOf(jobs, 'status', 'failures', 'active'), [
    ['PENDING', 1, null],
    ['PENDING', 1, null],
  ])
  const [hung] = await silent.history()
  assert.equal(hung?.interaction.response.status, 'TIMEOUT')
  const [flooded] = await endless.history()
  assert.equal(flooded?.interaction.response.status, 'ERROR')
  assert.match(flooded?.failure?.message ?? '', /^outside was stopped: it printed more than 256 MiB, at last: \w{1,4}$/)
})

test('[J51] bytes that are no UTF-8, from an outside agent or in a model’s HTTP answer, cost neither the command nor the record', async (t) => {
  const command = exit('COMPLETED', ['a.txt'])
  const outside = await withOutside(t, `printf 'Fait: \\377\\376\\303('; echo '${command}'`)
  const { provider } = await openWire(t, 'own', {
    replies: [{ text: `Fait: @@@@ ${command}` }],
    chunk_chars: 1_000,
    garbled: (answer) => Buffer.from(answer.toString('latin1').replaceAll('@@@@', '\xff\xfe\xc3('), 'latin1'),
  })
  const hosted = await testJobs(t, [], {}, { chosenModelFor: async () => ({ provider, model: 'test' }) })

  const jobs = [await outside.step(), await hosted.step()]

  for (const job of jobs) {
    assert.equal(job.status, 'REVIEW_REQUIRED')
    const bytes = await readFile(jobFilePlaces(job).history)
    assert.ok(isUtf8(bytes))
    const { interactions } = JobHistory.parse(JSON.parse(bytes.toString('utf8')))
    assert.match(interactions[0]?.response.raw_response ?? '', /^Fait: \ufffd\ufffd\ufffd\(/)
  }
})

test('[J11] run waits out the pause after a failure and gives up after so many', async (t) => {
  const scene = await testJobs(t, [{ fail: 503, times: 99 }], { limits: { max_failures: 1 } })

  const report = await runJobs(scene.context, { signal: never })

  assert.deepEqual([report.steps, report.needs_person.map(({ reason }) => reason)], [2, ['failures']])
})

async function withOutside(t: TestContext, script: string, settings: Record<string, unknown> = {}): Promise<TestJob> {
  const own = await testFolder(t)
  const sandbox = await detectSandbox()
  const outside = { name: 'outside', command: '/bin/sh', args: ['-c', script], mounts: [own], env: {} }
  return testJobs(t, [], settings, { chosenModelFor: async (run) => outsideAgentModel(outside, run, sandbox) })
}
