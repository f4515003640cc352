import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationText, elapsedText } from './format.ts'

test('[J53] a span of time is told in the units that fit, and what is going on in whole seconds', () => {
  const spans = [350, 2_440, 9_949, 9_950, 59_499, 59_500, 185_000, 3_599_499, 7_800_000]

  assert.deepEqual(spans.map(durationText), [
    '350 ms',
    '2.4 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min 0 s',
    '3 min 5 s',
    '59 min 59 s',
    '2 h 10 min',
  ])
  assert.deepEqual([0, 499, 2_440].map(elapsedText), ['0 s', '0 s', '2 s'])
})
