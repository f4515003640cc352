/** Who is spoken to, in the one spelling that everything is compared in: a name without a trailing dot, or an address. */
export type Host = { name: string } | { address: string }

/** Letters that would end a host inside an address, or stand for others in it. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const SEPARATOR = /[\u0000-\u0020\u007F/\\?#@%<>^|"`{}]/

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Reads a host in whatever spelling: upper case, international letters, a trailing dot, an IPv4 address in decimal, octal or hex, an
 * IPv6 address in brackets. Null for what is not a host, an address with a zone among them.
 */
export function readHost(text: string): Host | null {
  if (text === '' || text.length > 1000 || SEPARATOR.test(text)) return null
  if (text.includes(':') && !/^\[[^[\]]*\]$/.test(text)) return null
  const parsed = hostnameOf(text)
  if (parsed === null) return null
  if (parsed.startsWith('[')) return { address: parsed.slice(1, -1) }
  if (/^\d+\.\d+\.\d+\.\d+$/.test(parsed)) return { address: parsed }
  const name = parsed.replace(/\.$/, '')
  return name.length <= 253 && name.split('.').every((label) => LABEL.test(label)) ? { name } : null
}

/** What people read: an IPv6 address is in brackets. */
export function hostText(host: Host): string {
  if ('name' in host) return host.name
  return host.address.includes(':') ? `[${host.address}]` : host.address
}

/** A port as it must be written: digits, without a leading zero. */
export function readPort(text: string): number | null {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65535 ? port : null
}

/** By the rules of browsers, which read every spelling of an address that any program reads. */
function hostnameOf(text: string): string | null {
  try {
    const { hostname, host, username } = new URL(`http://${text}/`)
    return host === hostname && username === '' ? hostname : null
  } catch {
    return null
  }
}
