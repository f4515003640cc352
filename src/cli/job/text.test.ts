import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShell } from '../../../tests/open-shell.ts'

const completed = '{"action": "COMPLETED", "evidence_files": [], "summary_for_supervisor": "Made."}'

test('[J19] history, show and metrics name no model for what was answered by hand', async (t) => {
  const { troupe } = await openShell(t, { 'a.txt': 'one\n' })
  await troupe('job', 'create', 'demo', '--objective', 'Make it', '--activate')
  await troupe('job', 'poststep', 'demo', '--response-string', completed)

  const told = [await troupe('job', 'history', 'demo'), await troupe('job', 'show', 'demo'), await troupe('job', 'metrics', 'demo')]

  assert.match(told[0]?.stdout ?? '', /^1\. Worker \S+Z answered by hand PENDING → REVIEW_REQUIRED\n/)
  assert.match(told[1]?.stdout ?? '', /worker work: PENDING → RUNNING \(the Steward gives the answer by hand\)/)
  assert.match(told[2]?.stdout ?? '', /\n1 step answered by hand and not counted\n/)
  for (const { stdout } of told) assert.doesNotMatch(stdout, /rehearsal/)
})
