import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrice } from './parse-price.js'

test('reads dollars and cents', () => {
  assert.equal(parsePrice('12.50'), 1250)
})

test('ignores the currency sign', () => {
  assert.equal(parsePrice('$ 3'), 300)
})

test('reads thousands with a comma', () => {
  assert.equal(parsePrice('1,299.00'), 129900)
})
