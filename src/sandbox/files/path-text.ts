/**
 * Names of files are bytes. Those that are UTF-8 are that text; of others each byte that is not becomes a half of a pair, which no
 * text has, so that every name has one text and every such text one name.
 */
export function textOfName(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\uFFFD')) return text
  let found = ''
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at)
    found += length === 0 ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + length)
    at += Math.max(length, 1)
  }
  return found
}

/** A path for the file system. */
export function pathOfText(text: string): string | Buffer {
  if (text.isWellFormed()) return text
  const parts = text.split(/([\uDC80-\uDCFF])/u)
  return Buffer.concat(parts.map((part, at) => (at % 2 === 1 ? Buffer.of(part.charCodeAt(0) - 0xdc00) : Buffer.from(part))))
}

/** The bytes of a path. */
export function bytesOfText(text: string): Buffer {
  const path = pathOfText(text)
  return typeof path === 'string' ? Buffer.from(path) : path
}

/** How many bytes from here on are one character of UTF-8; 0 when none is. */
function sequenceAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  const one = bytes.subarray(at, at + length)
  const text = one.toString('utf8')
  return Buffer.from(text).equals(one) && !(text.includes('\uFFFD') && !isReplacement(one)) ? length : 0
}

/** The character that stands for bad bytes can itself be part of a name. */
function isReplacement(bytes: Buffer): boolean {
  return bytes.equals(Buffer.from('\uFFFD'))
}
