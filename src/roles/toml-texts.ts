/** A field at the start of a line that holds a text, in any of the four ways TOML writes one; or the beginning of a table, below which no field is the file's own. */
const FIELD = /^(?:(\w+)[ \t]*=[ \t]*(?:"""\n?([^]*?)"""|'''\n?([^]*?)'''|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')|\[)/gm

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** The texts a TOML file states above its tables, by field; the rest of TOML no role needs. */
export function tomlTexts(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, field, long, longLiteral, short, literal] of text.matchAll(FIELD)) {
    if (field === undefined) break
    found[field] ??= longLiteral ?? literal ?? unescaped(long ?? short ?? '')
  }
  return found
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([\da-f]{4})|(\s+)|(.))/gi, (_, code?: string, blank?: string, letter = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return blank === undefined ? (escapes[letter] ?? letter) : ''
  })
}
