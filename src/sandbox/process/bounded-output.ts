export type BoundedOutput = ReturnType<typeof boundedOutput>

/**
 * Collects what a process prints: the first half and the last half of a limit, and how many bytes fell between. It holds little more
 * than `limit`, however much is printed.
 */
export function boundedOutput(limit: number) {
  const head: Buffer[] = []
  const tail: Buffer[] = []
  const headLimit = Math.ceil(limit / 2)
  const tailLimit = Math.floor(limit / 2)
  let seen = 0
  let tailBytes = 0
  const cutBytes = () => Math.max(0, seen - headLimit - tailLimit)

  return {
    add(chunk: Buffer): void {
      const room = Math.max(0, headLimit - seen)
      seen += chunk.length
      if (room > 0) head.push(chunk.subarray(0, room))
      if (chunk.length <= room) return
      tail.push(chunk.subarray(room))
      tailBytes += chunk.length - room
      while (tail[0] !== undefined && tailBytes - tail[0].length >= tailLimit) tailBytes -= tail.shift()?.length ?? 0
    },
    text(): string {
      const end = Buffer.concat(tail)
      if (cutBytes() === 0) return Buffer.concat([...head, end]).toString('utf8')
      const first = Buffer.concat(head).toString('utf8')
      const last = end.subarray(Math.max(0, end.length - tailLimit)).toString('utf8')
      return `${first.replace(/\uFFFD+$/, '')}\n[… ${cutBytes()} bytes cut …]\n${last.replace(/^\uFFFD+/, '')}`
    },
    cutBytes,
    seenBytes: () => seen,
  }
}
