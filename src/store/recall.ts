/** As many records of one kind are remembered; the one that was read first is forgotten first. */
const AT_MOST = 100

/** Longer ones are read anew each time: they would hold more memory than they save time. */
const MOST_CHARS = 50_000

/**
 * Remembers what records were read or written last, by the very text they lie there as: an agent at work reads the same board
 * and the same task again and again. What is given out is frozen, because the next one who asks gets the same.
 */
export function createRecall<Item>() {
  const known = new Map<string, { data: string; item: Item }>()

  function recall({ id, data }: { id: string; data: string }): Item | undefined {
    const found = known.get(id)
    return found?.data === data ? found.item : undefined
  }

  function remember(id: string, data: string, item: Item): Item {
    if (data.length > MOST_CHARS) return item
    known.delete(id)
    known.set(id, { data, item: deepFreeze(item) })
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size > AT_MOST) known.delete(oldest)
    return item
  }

  return { recall, remember }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
