import assert from 'node:assert/strict'

/** Sees that a fact holds of none of them; those it does hold of are shown. */
export function assertNone<Item>(items: readonly Item[], fact: (item: Item) => boolean): void {
  assert.deepEqual(items.filter(fact), [])
}
