import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShell } from '../../../tests/open-shell.ts'

test('[B122] whoever asks for patterns reads what they are about, that the board stands still, where the report is and how it goes on', async (t) => {
  const { troupe } = await openShell(t, { 'spec.md': '# Users\n' })
  await troupe('board', 'init', 'List the users', '--spec-ref', 'spec.md')
  const none = await troupe('board', 'analyze')
  for (let time = 0; time < 2; time++) await troupe('board', 'anomaly', 'spec_ambiguity', '--details', '{"spec_ref": "spec.md#users"}')

  const found = await troupe('board', 'analyze')
  const again = await troupe('board', 'analyze')

  assert.equal(none.stdout, 'No pattern.\n')
  assert.equal(again.stdout, found.stdout)
  assert.match(found.stdout, /^checkpoint: spec_gap_cluster \(SPEC_FLAW\): 2 times "spec\.md#users" in no task$/m)
  assert.match(found.stdout, /^The board is stopped\. Report: \.troupe\/reports\/circuit-breaker-\S+$/m)
  assert.match(found.stdout, /^Decide what to do about it, and resume the board with your decision\.$/m)
})
