import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poststepJob } from '../steward/poststep.ts'
import { resumeJob, suspendJob } from '../steward/suspend.ts'
import { exit, testJobs } from '../test-job.ts'
import { readTimeline } from './timeline.ts'
import { perform } from '../../domain/operation.ts'

test('[J56] page by page, every exchange and every decision between them is told once, in its place', async (t) => {
  const { context } = await testJobs(t, [])
  const { driver } = context.agent
  for (const action of ['RETRY', 'COMPLETED', 'RETRY']) {
    await perform(poststepJob, context, { job: 'demo', response_string: exit(action) })
    await perform(suspendJob, context, { job: 'demo', note: `after ${action}` })
    await perform(resumeJob, context, { job: 'demo' })
  }

  const pages = []
  for (let before: number | undefined; ; before = pages.at(-1)?.exchanges.at(-1)?.sequence) {
    pages.push(await perform(readTimeline, { agent: { driver } }, { job: 'demo', before, limit: 1 }))
    if (!pages.at(-1)?.earlier) break
  }

  assert.deepEqual(
    pages.map(({ exchanges, moves }) => [exchanges.map(({ sequence }) => sequence), moves.map(({ move }) => move)]),
    [
      [[3], ['resume_work', 'suspend']],
      [[2], ['resume_review', 'suspend']],
      [[1], ['resume_work', 'suspend', 'activate']],
    ],
  )
})
