import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spentText } from './format.ts'

test('[A102] a cost that is partly estimated has ≈ before it, one that was counted has not', () => {
  const texts = [
    spentText({ cost_microusd: 12_000, estimated: true }, 1_000_000),
    spentText({ cost_microusd: 12_000 }),
    spentText({ cost_microusd: null, estimated: true }),
  ]

  assert.deepEqual(texts, ['≈$0.01 of $1.00', '$0.01', 'cost unknown'])
})
