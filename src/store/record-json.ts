/**
 * A value as JSON text that every database accepts.
 * PostgreSQL refuses NUL and half surrogates in JSON, and models do say them; they are written as `\/0000`,
 * a spelling that JSON allows, that JSON.stringify never uses, and that `fromJson` turns back.
 */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\\u')) return json
  return json.replaceAll(/\\(?:u(0000|d[89a-f][0-9a-f]{2})|.)/g, (escape, code?: string) => (code === undefined ? escape : `\\/${code}`))
}

/** The value `toJson` was given; throws on text that is not JSON. */
export function fromJson(json: string): unknown {
  if (!json.includes('\\/')) return JSON.parse(json)
  return JSON.parse(json.replaceAll(/\\(?:\/([0-9a-f]{4})|.)/g, (escape, code?: string) => (code === undefined ? escape : `\\u${code}`)))
}
