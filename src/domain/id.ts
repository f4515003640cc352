/** A new record id: time first, so that ids sort by age, then enough randomness that two machines never meet. */
export function newId(prefix: string, now: Date): string {
  const time = now.getTime().toString(36).padStart(9, '0')
  return `${prefix}_${time}${randomHex(8)}`
}

/** Fetched for many ids at once: asking the system for each one's costs more than all the rest of an id. */
const random = new Uint8Array(1024)
let used = random.length

/** Not `randomUUID`: a page that is not served from this machine has none. */
function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  used += bytes
  return Array.from(random.subarray(used - bytes, used), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
