import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShell } from '../../../tests/open-shell.ts'

test('[B122] whoever asks for patterns reads what they are about, that the board stands still, where the report is and how it goes on', async (t) => {
  const { troupe } = await openShell(t, { 'spec.md': '# Users\n' })
  await troupe('board', 'init', 'List the users', '--spec', 'spec.md')
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

test('[C112] what a refusal says to try can be typed as it stands, and a spec has one name wherever it is typed', async (t) => {
  const { troupe } = await openShell(t, { SPEC_FILE: '# Users\n' })
  const refused = await troupe('board', 'list')
  const [, tried = ''] = /Try: troupe (.*)$/m.exec(refused.stderr) ?? []

  const begun = await troupe(...tried.split(' '), '--json')
  const helped = await Promise.all(['board init', 'board add', 'team'].map((typed) => troupe(...typed.split(' '), '--help')))

  assert.deepEqual([refused.code, begun.code], [42, 0])
  assert.equal((JSON.parse(begun.stdout) as { goal: { spec_ref: string } }).goal.spec_ref, 'SPEC_FILE') // what the operation gives
  assert.deepEqual(
    helped.map(({ stdout }) => [...new Set(stdout.match(/--spec(?!-changed)[\w-]*/g))]),
    [['--spec'], ['--spec'], ['--spec']],
  )
})
