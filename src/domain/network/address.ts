/** Why nobody may be sent to an address, or null for one of the public internet. */
export function refusedAddress(address: string): string | null {
  if (address.includes(':')) return refusedIpv6(address)
  const bytes = ipv4Bytes(address)
  return bytes === null ? 'not an address' : refusedIpv4(bytes)
}

/** The address that is dialled in the end, in one spelling: an IPv4 address also where it is written as one of IPv6. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address
  const bytes = ipv6Bytes(address)
  const within = bytes === null ? null : ipv4Within(bytes)
  return within === null ? (plainIpv6(address) ?? address) : within.join('.')
}

// oxfmt-ignore
const ipv4Ranges: readonly (readonly [from: string, bits: number, what: string])[] = [
  ['0.0.0.0',         8, 'this machine'],
  ['10.0.0.0',        8, 'private'],
  ['100.64.0.0',     10, 'shared with a provider'],
  ['127.0.0.0',       8, 'this machine'],
  ['169.254.0.0',    16, 'link-local'],
  ['168.63.129.16',  32, 'metadata of a cloud'],
  ['172.16.0.0',     12, 'private'],
  ['192.0.0.0',      24, 'reserved'],
  ['192.0.2.0',      24, 'reserved'],
  ['192.88.99.0',    24, 'reserved'],
  ['192.168.0.0',    16, 'private'],
  ['198.18.0.0',     15, 'reserved'],
  ['198.51.100.0',   24, 'reserved'],
  ['203.0.113.0',    24, 'reserved'],
  ['224.0.0.0',       4, 'multicast'],
  ['240.0.0.0',       4, 'reserved'],
]

/** Parts of the public range that are not public: tunnels lead to addresses written inside them. */
// oxfmt-ignore
const ipv6Ranges: readonly (readonly [from: string, bits: number, what: string])[] = [
  ['2001::',     23, 'reserved'],
  ['2001:db8::', 32, 'reserved'],
  ['2002::',     16, 'a tunnel'],
  ['3fff::',     20, 'reserved'],
]

function refusedIpv4(bytes: readonly number[]): string | null {
  return ipv4Ranges.find(([from, bits]) => startsLike(bytes, ipv4Bytes(from) ?? [], bits))?.[2] ?? null
}

function refusedIpv6(address: string): string | null {
  const bytes = ipv6Bytes(address)
  if (bytes === null) return 'not an address'
  const within = ipv4Within(bytes)
  if (within !== null) return refusedIpv4(within)
  if (startsLike(bytes, [0xfc], 7)) return 'private'
  if (startsLike(bytes, [0xfe, 0x80], 10)) return 'link-local'
  if (startsLike(bytes, [0xff], 8)) return 'multicast'
  if (bytes.slice(0, 15).every((byte) => byte === 0)) return 'this machine'
  if (!startsLike(bytes, [0x20], 3)) return 'reserved'
  if (isBesideIpv4(bytes)) return 'a tunnel'
  return ipv6Ranges.find(([from, bits]) => startsLike(bytes, ipv6Bytes(from) ?? [], bits))?.[2] ?? null
}

/** The IPv4 address that an address stands for: a mapped one, or one that the network translates. */
function ipv4Within(bytes: readonly number[]): readonly number[] | null {
  const isMapped = startsLike(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96)
  const isTranslated = startsLike(bytes, [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96)
  return isMapped || isTranslated ? bytes.slice(12) : null
}

/** An address of a tunnel within one site (ISATAP) ends in the IPv4 address it leads to. */
function isBesideIpv4(bytes: readonly number[]): boolean {
  return [0, 2].includes(bytes[8] ?? -1) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
}

function startsLike(bytes: readonly number[], prefix: readonly number[], bits: number): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 0xff : (0xff << (8 - (bits - bit))) & 0xff
    if (((bytes[bit / 8] ?? 0) & mask) !== ((prefix[bit / 8] ?? 0) & mask)) return false
  }
  return true
}

/** Four plain decimal numbers; any other spelling was to be made plain before. */
function ipv4Bytes(address: string): number[] | null {
  const parts = address.split('.')
  const isPlain = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  return isPlain ? parts.map(Number) : null
}

function ipv6Bytes(address: string): number[] | null {
  const plain = plainIpv6(address)
  if (plain === null) return null
  const [head = '', tail] = plain.split('::')
  const [first, last] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  if (first === undefined || last === undefined) return null
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return [...first, ...zeros, ...last].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
}

/** Without an IPv4 address at its end, which is only another spelling. */
function plainIpv6(address: string): string | null {
  try {
    return new URL(`http://[${address}]/`).hostname.slice(1, -1)
  } catch {
    return null // one with a zone among them
  }
}
