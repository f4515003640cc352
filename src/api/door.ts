import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Problem } from '../domain/problem.ts'

export interface DoorOptions {
  token: string
  /** The address we are bound to; on loopback only loopback names may be asked for. */
  host: string
  bodyBytes: number
}

/** Shorter ones could be guessed. */
const TOKEN_CHARACTERS = 32

/** What the page may do in a browser: load from us and talk to us. It can be framed, based and posted elsewhere by nobody. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

// oxfmt-ignore
const headers = {
  'content-security-policy':      contentSecurityPolicy,
  'x-content-type-options':       'nosniff',
  'x-frame-options':              'DENY',
  'referrer-policy':              'no-referrer',
  'cross-origin-opener-policy':   'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':           'camera=(), microphone=(), geolocation=()',
}

/** The headers every answer carries, refusals included. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
}

/** A page elsewhere can make a browser call us by a name that resolves to us; it cannot make it name us or leave its origin out. */
export function sameSite({ host }: Pick<DoorOptions, 'host'>): MiddlewareHandler {
  return async (c, next) => {
    const asked = c.req.header('host') ?? ''
    if (!isOurName(asked, host)) throw new Problem('forbidden', `${asked || 'no host'} is not a name of this server; use one it printed`)
    const origin = c.req.header('origin')
    if (origin !== undefined && originHost(origin) !== asked)
      throw new Problem('forbidden', `pages of ${origin} may not call this server; open the page it serves itself`)
    await next()
  }
}

/** Lets in who carries the token in the Authorization header; an address ends up in histories and logs, so it does not count there. */
export function tokenHolder({ token }: Pick<DoorOptions, 'token'>): MiddlewareHandler {
  if (token.length < TOKEN_CHARACTERS)
    throw new Problem('bad_input', `a server is not opened without a token of at least ${TOKEN_CHARACTERS} characters`)
  const right = digest(token)
  return async (c, next) => {
    const given = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (given === undefined)
      throw new Problem(
        'unauthorized',
        'the token is missing; send it as "Authorization: Bearer …"; it is in the file `token` in TROUPE_HOME',
      )
    if (!timingSafeEqual(digest(given), right))
      throw new Problem('unauthorized', 'the token is not the one of this server; it is in the file `token` in TROUPE_HOME')
    await next()
  }
}

/** Refuses a body that is too large while it arrives, whatever its declared length. */
export function limitedBody({ bodyBytes }: Pick<DoorOptions, 'bodyBytes'>): MiddlewareHandler {
  return bodyLimit({
    maxSize: bodyBytes,
    onError: () => {
      throw new Problem('too_large', `the body is larger than ${bodyBytes} bytes`, { details: { at_most: bodyBytes } })
    },
  })
}

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The port is not looked at: a tunnel has its own. A name that is no address could have been made to point here, unless it is ours. */
function isOurName(asked: string, bound: string): boolean {
  const name = asked
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  if (isLoopback(name) || name === bound.toLowerCase()) return true
  return !isLoopback(bound) && isIP(name) !== 0
}

function originHost(origin: string): string | null {
  return /^https?:\/\/([^/]+)$/.exec(origin)?.[1] ?? null
}

/** Equal lengths, so that comparing tells nothing about how much was right. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
