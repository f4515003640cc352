/** A new record id: time first, so that ids sort by age, then enough randomness that two machines never meet. */
export function newId(prefix: string, now: Date): string {
  const time = now.getTime().toString(36).padStart(9, '0')
  return `${prefix}_${time}${randomHex(8)}`
}

/** Not `randomUUID`: a page that is not served from this machine has none. */
function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
