/** As many records of one kind are remembered; the one that was read first is forgotten first. */
const AT_MOST = 100

/** Longer ones are read anew each time: they would hold more memory than they save time. */
const MOST_CHARS = 50_000

/**
 * Remembers what records were read last, by the very text they were read from: an agent at work reads the same board and
 * the same task again and again. What is given out is frozen, because the next one who asks gets the same.
 */
export function recalling<Row extends { id: string; data: string }, Item>(parse: (row: Row) => Item): (row: Row) => Item {
  const known = new Map<string, { data: string; item: Item }>()

  return function recall(row: Row): Item {
    const found = known.get(row.id)
    if (found?.data === row.data) return found.item
    const item = parse(row)
    if (row.data.length > MOST_CHARS) return item
    known.delete(row.id)
    known.set(row.id, { data: row.data, item: deepFreeze(item) })
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size > AT_MOST) known.delete(oldest)
    return item
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
