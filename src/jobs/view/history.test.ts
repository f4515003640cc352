import assert from 'node:assert/strict'
import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Job } from '../../domain/job/job.ts'
import { jobInteractions } from '../../store/tables.ts'
import { configureJob } from '../steward/configure.ts'
import { gitText } from '../../worktrees/repository.ts'
import { jobFilePlaces } from './files.ts'
import { appendHistory, rebuildHistory } from './history-file.ts'
import { recoverJobs } from '../step/recover.ts'
import { exit, makes, readHistoryFiles, testJobs, type TestJob } from '../test-job.ts'
import { perform } from '../../domain/operation.ts'

test('[J27] secrets are masked before an exchange is stored, in the store, in the file and in the commit', async (t) => {
  const said = `The key is a-very-secret-value and sk-abcdefghijklmnopqrstuvwxyz.\n${exit('COMPLETED', [], 'Used a-very-secret-value.')}`
  const scene = await testJobs(t, [makes('made.txt'), { text: said }], { details: 'Log in with a-very-secret-value.' })

  const job = await scene.step()

  const written = await gitText(job.workspace, ['log', '-1', '--format=%B'])
  const kept = [JSON.stringify(await scene.history()), await readFile(jobFilePlaces(job).history, 'utf8'), written].join('\n')
  assert.match(written, /Used \[masked\]/)
  assert.ok(!kept.includes('a-very-secret-value') && !kept.includes('sk-abcdefghij'))
  assert.match(kept, /Log in with \[masked\]/)
})

test('[J28] above a size the history goes on in a new part, the old one compressed, and is read across all of them', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])

  const job = await longHistory(scene, 20)

  const parts = (await readdir(job.directory)).filter((name) => name.endsWith('.json.gz'))
  assert.ok(parts.length > 3, parts.join())
  assert.equal(job.history.parts, parts.length)
  assert.deepEqual(
    (await readHistoryFiles(job)).map(({ sequence }) => sequence),
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
  assert.equal((await stat(join(job.directory, parts[0] ?? ''))).mode & 0o777, 0o600)
})

test('[J29] a damaged or edited history is detected, set aside and rebuilt from the store', async (t) => {
  const damages: ((path: string) => Promise<void>)[] = [
    (path) => truncate(path, 100),
    (path) => writeFile(path, '{"interactions": []}'),
    (path) => appendFile(path, 'x'),
    async (path) => writeFile(path, (await readFile(path, 'utf8')).replace('COMPLETED it is', 'COMPLETED it was')),
  ]

  for (const damage of damages) {
    const warnings: string[] = []
    const scene = await testJobs(t, [{ text: exit('COMPLETED') }, { text: exit('COMPLETED') }])
    const { history, directory } = placesAnd(await scene.step())
    scene.agent.driver.warn = (problem) => void warnings.push(problem.message)
    await damage(history)
    await scene.step()
    await perform(recoverJobs, scene.context, { job: 'demo' })
    const job = await scene.job()
    assert.equal(JSON.stringify(await readHistoryFiles(job)), JSON.stringify((await scene.history()).map(({ interaction }) => interaction)))
    assert.equal((await readdir(directory)).filter((name) => name.includes('.damaged-')).length, 1)
    assert.equal(warnings.length, 1)
  }
})

test('[J29] a file that stands in the place of the history before its first entry is set aside, even an empty one', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])
  scene.agent.driver.warn = () => undefined
  await writeFile(jobFilePlaces(await scene.job()).history, '')

  const job = await scene.step()

  assert.deepEqual([(await readHistoryFiles(job)).length, job.history.interactions], [1, 1])
  assert.equal((await readdir(job.directory)).filter((name) => name.includes('.damaged-')).length, 1)
})

test('[J29] where a compressed part is damaged, every file of the history is kept and all of it written anew', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])
  const job = await longHistory(scene, 9)
  const names = (await readdir(job.directory)).filter((name) => name.startsWith('jobHistory'))
  await writeFile(join(job.directory, 'jobHistory.0002.json.gz'), 'not what it was')
  scene.agent.driver.warn = () => undefined

  const history = await rebuildHistory(scene.agent.driver, job, new Date(), 5_000)

  const aside = (await readdir(job.directory)).find((name) => name.includes('.damaged-')) ?? assert.fail('nothing was kept')
  assert.deepEqual((await readdir(join(job.directory, aside))).toSorted(), names.toSorted())
  assert.equal(history.interactions, 9)
  assert.deepEqual(
    (await readHistoryFiles(job)).map(({ sequence }) => sequence),
    Array.from({ length: 9 }, (_, at) => at + 1),
  )
})

test('[J29] an intact history is left as it is', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])
  const job = await scene.step()
  const before = await stat(jobFilePlaces(job).history)

  const state = await rebuildHistory(scene.agent.driver, job, new Date())

  assert.deepEqual(state, job.history)
  assert.equal((await stat(jobFilePlaces(job).history)).ino, before.ino)
})

test('[J30] a manifest edited by hand is set aside with a warning and written again; the store decides', async (t) => {
  const warnings: string[] = []
  const scene = await testJobs(t, [])
  const { manifest, directory } = placesAnd(await scene.job())
  scene.agent.driver.warn = (problem) => void warnings.push(problem.message)
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"PENDING"', '"SUCCESS"'))

  const job = await perform(configureJob, scene.context, { job: 'demo', spec: { description: 'new' } })

  assert.equal(job.status, 'PENDING')
  assert.match(await readFile(manifest, 'utf8'), /"status": "PENDING"/)
  assert.equal((await readdir(directory)).filter((name) => name.includes('.edited-')).length, 1)
  assert.match(warnings[0] ?? '', /edited by hand/)
})

/** A step, and its exchange again and again, in parts of five thousand bytes. */
async function longHistory({ step, history, agent: { driver } }: TestJob, length: number): Promise<Job> {
  let job = await step()
  const [first = assert.fail()] = await history()
  for (let sequence = 2; sequence <= length; sequence++) {
    const interaction = { ...first.interaction, sequence }
    await jobInteractions.add(driver, { ...first, id: `x${sequence}`, sequence, interaction })
    job = { ...job, history: await appendHistory(driver, job, interaction, new Date(), 5_000) }
  }
  return job
}

function placesAnd(job: Job) {
  return { ...jobFilePlaces(job), directory: job.directory }
}
