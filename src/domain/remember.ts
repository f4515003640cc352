/** What is known by a key; made, and from then on known, where it is not. */
export function remember<Key, Value>(known: Known<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key)
  if (before !== undefined) return before
  const made = make()
  known.set(key, made)
  return made
}

interface Known<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}
