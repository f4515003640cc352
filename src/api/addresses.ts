import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Listening on one of these is listening on every address of the machine; neither can be opened. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where a server that listens on `host` can be opened: first on this machine, then from others. */
export function openAt(host: string, port: number, interfaces = networkInterfaces()): string[] {
  const own = loopbackOf[host]
  if (own === undefined) return [origin(host, port)]
  const others = Object.values(interfaces).flatMap((of = []) =>
    of.filter(({ internal, family }) => !internal && (own === '::1' || family === 'IPv4')),
  )
  // An address that is valid on one cable alone names the interface too, which no browser takes.
  const reachable = others.filter(({ address }) => !/^fe[89ab]/i.test(address))
  return [origin(own, port), ...reachable.map(({ address }) => origin(address, port))]
}

function origin(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
