import { cuts, MASK, withoutKeys } from './key-shapes.ts'

const secretName = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)/i

/** Shorter values would mask ordinary words. */
const LEAST_CHARS = 8

/** The values of an environment that must not be written down: of variables that sound like it, and of those that were named as such. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>, named: readonly string[] = []): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    (secretName.test(name) || named.includes(name)) && value !== undefined && value.length >= LEAST_CHARS ? [value] : [],
  )
}

/** A record of plain JSON in which neither these values nor anything that looks like a key stands. */
export function maskedRecord<T>(value: T, secrets: readonly string[]): T {
  return eachText(value, (text) => withoutKeys(withoutValues(text, secrets)))
}

/** A record of plain JSON in which these values do not stand; what merely looks like a key stays, for it may be what the work is about. */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  return secrets.length === 0 ? value : eachText(value, (text) => withoutValues(text, secrets))
}

/** How much of the end may be the beginning of a secret: handed on in two halves it would be masked in neither. */
export function unsureChars(text: string, secrets: readonly string[]): number {
  const longest = Math.max(0, ...secrets.map((secret) => secret.length))
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const end = text.slice(at)
    if (secrets.some((secret) => secret.startsWith(end))) return end.length
  }
  return 0
}

function withoutValues(text: string, secrets: readonly string[]): string {
  // The longest first: of one that begins with another the rest would stay.
  const sorted = secrets.toSorted((a, b) => b.length - a.length)
  return withoutParts(
    sorted.reduce((kept, secret) => kept.replaceAll(secret, MASK), text),
    sorted,
  )
}

/** Where a text was cut, and at its end, a part of a secret may be left. Elsewhere a few letters of one are ordinary words. */
function withoutParts(text: string, secrets: readonly string[]): string {
  const pieces = text.split(cuts)
  return pieces.map((piece, at) => (at % 2 === 1 ? piece : withoutEnds(piece, secrets, at > 0, at < pieces.length - 1))).join('')
}

/** So many letters of a secret are worth hiding where a text was cut; at its end it may be chance. */
const LEAST_CUT = 4

function withoutEnds(piece: string, secrets: readonly string[], isCutBefore: boolean, isCutAfter: boolean): string {
  const least = isCutAfter ? LEAST_CUT : LEAST_CHARS
  let [start, end] = [0, piece.length]
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= least; length--) {
      if (piece.endsWith(secret.slice(0, length))) end = Math.min(end, piece.length - length)
    }
    for (let length = secret.length - 1; length >= LEAST_CUT; length--) {
      if (isCutBefore && piece.startsWith(secret.slice(-length))) start = Math.max(start, length)
    }
  }
  if (end < start) return MASK
  return `${start > 0 ? MASK : ''}${piece.slice(start, end)}${end < piece.length ? MASK : ''}`
}

function eachText<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T // a string stays one
  if (Array.isArray(value)) return value.map((item: unknown) => eachText(item, change)) as T // item for item
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, eachText<unknown>(held, change)])) as T // field for field
}
