/** What a process ends before it does itself: programs that stay open between the requests to them. */
const ending = new Set<() => Promise<void>>()

/** Has something done before this process ends; gives back the way to take that back. */
export function atEnd(work: () => Promise<void>): () => void {
  ending.add(work)
  return () => void ending.delete(work)
}

/** Does it now, all at once. */
export async function endOpenWork(): Promise<void> {
  const all = [...ending]
  ending.clear()
  await Promise.allSettled(all.map((work) => work()))
}
