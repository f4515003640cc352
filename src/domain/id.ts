/** A new record id: time first, so that ids sort by age, then enough randomness that two machines never meet. */
export function newId(prefix: string, now: Date): string {
  const time = now.getTime().toString(36).padStart(9, '0')
  return `${prefix}_${time}${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`
}
