const MASK = '[masked]'

/** Shapes in which keys are handed out; a value that looks like one is a secret whoever it belongs to. */
const shapes =
  /\b(sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xox[abpr]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,})|-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?-----END [A-Z ]*PRIVATE KEY-----/g

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
  return eachText(value, (text) => withoutValues(text, secrets).replaceAll(shapes, MASK))
}

/** A record of plain JSON in which these values do not stand; what merely looks like a key stays, for it may be what the work is about. */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  return secrets.length === 0 ? value : eachText(value, (text) => withoutValues(text, secrets))
}

function withoutValues(text: string, secrets: readonly string[]): string {
  // The longest first: of one that begins with another the rest would stay.
  return secrets.toSorted((a, b) => b.length - a.length).reduce((kept, secret) => kept.replaceAll(secret, MASK), text)
}

function eachText<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T // a string stays one
  if (Array.isArray(value)) return value.map((item: unknown) => eachText(item, change)) as T // item for item
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, eachText<unknown>(held, change)])) as T // field for field
}
