import { Agent, request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { connect as secure } from 'node:tls'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Problem } from '../domain/problem.ts'
import { addressesOf, dial, type NetworkReach, type Outside } from './reach.ts'

/** What a server answered to a request for a page. */
export interface FetchedPage {
  /** Where it was in the end. */
  url: string
  status: number
  type: string
  charset: string
  body: Buffer
  /** The addresses it led through. */
  redirects: string[]
}

const MOST_REDIRECTS = 5
const MOST_BYTES = 5_000_000
const WAIT_MS = 30_000

/** What is text, and therefore worth a model's time. */
const TEXT_TYPE = /^(text\/.*|application\/(.+\+)?(json|xml|yaml|javascript|xhtml\+xml|toml))$/

/** Gets a page. Each host on the way is checked like the first, and the address that was checked is the one that is dialled. */
export async function fetchPage(address: string, reach: NetworkReach, outside: Outside, stopped: AbortSignal): Promise<FetchedPage> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(WAIT_MS)])
  const redirects: string[] = []
  for (let url = webAddress(address); ;) {
    const answer = await ask(url, reach, outside, signal)
    const next = answer.headers.location
    const status = answer.statusCode ?? 0
    if (next === undefined || status < 300 || status > 399) return readPage(answer, { url: url.href, status, redirects }, signal)
    answer.destroy()
    redirects.push(url.href)
    if (redirects.length > MOST_REDIRECTS)
      throw new Problem('provider_failed', `${address} leads from one address to another more than ${MOST_REDIRECTS} times`)
    const to = webAddress(next, url)
    if (url.protocol === 'https:' && to.protocol === 'http:')
      throw new Problem('denied', `${url.href} leads to ${to.href}, which is not encrypted`)
    url = to
  }
}

/** An address that a page can be got from. Names and passwords in it would be sent to whoever is there. */
function webAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url === null)
    throw new Problem('bad_input', `${JSON.stringify(text.slice(0, 200))} is not an address; write https://example.org/page`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Problem('bad_input', `only http and https are fetched, not ${url.protocol}`)
  if (url.username !== '' || url.password !== '')
    throw new Problem('bad_input', 'an address with a name or a password in it is not fetched')
  url.hash = ''
  return url
}

async function ask(url: URL, reach: NetworkReach, outside: Outside, signal: AbortSignal): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const addresses = await addressesOf(reach, url.hostname, port, outside)
  signal.throwIfAborted()
  const plain = await dial(addresses, url.hostname, port, outside)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const socket: Socket = isSecure
    ? secure({ socket: plain, ...(isIP(name) === 0 && { servername: name }), ALPNProtocols: ['http/1.1'] })
    : plain
  const agent = new Agent({ keepAlive: false, maxSockets: 1 })
  agent.createConnection = () => socket // whoever resolved the name once more could be led elsewhere
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = plainRequest({
      agent,
      path: `${url.pathname}${url.search}`,
      headers: {
        Host: url.host,
        'User-Agent': 'Troupe',
        Accept: 'text/markdown, text/html, text/plain, */*;q=0.5',
        'Accept-Encoding': 'gzip, br',
      },
      maxHeaderSize: 16_384,
      signal,
    })
    sent.once('response', resolve)
    const fail = (error: Error) => {
      socket.destroy()
      reject(new Problem('provider_failed', `${url.host} did not answer: ${error.message}`))
    }
    sent.once('error', fail)
    socket.once('error', fail)
    sent.end()
  })
}

async function readPage(
  answer: IncomingMessage,
  about: Pick<FetchedPage, 'url' | 'status' | 'redirects'>,
  signal: AbortSignal,
): Promise<FetchedPage> {
  try {
    const [type = '', ...parameters] = (answer.headers['content-type'] ?? 'text/plain').toLowerCase().split(/\s*;\s*/)
    if (!TEXT_TYPE.test(type)) throw new Problem('bad_input', `${about.url} is ${type.slice(0, 80)}, and only text is fetched`)
    const charset =
      parameters
        .find((each) => each.startsWith('charset='))
        ?.slice(8)
        .replaceAll('"', '') ?? 'utf-8'
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      bytes += chunk.length
      if (bytes > MOST_BYTES) throw tooLarge(about.url)
      chunks.push(chunk)
    }
    return { ...about, type, charset, body: unpacked(Buffer.concat(chunks), answer.headers['content-encoding'] ?? '', about.url) }
  } finally {
    answer.destroy()
  }
}

const unpack = { gzip: gunzipSync, 'x-gzip': gunzipSync, br: brotliDecompressSync, deflate: inflateSync } as const

/** A small answer may unpack to gigabytes. */
function unpacked(body: Buffer, encoding: string, url: string): Buffer {
  if (encoding === '' || encoding === 'identity') return body
  const how = Object.entries(unpack).find(([name]) => name === encoding.toLowerCase())?.[1]
  if (how === undefined) throw new Problem('bad_input', `${url} is packed as ${encoding.slice(0, 40)}, which is not read`)
  try {
    return how(body, { maxOutputLength: MOST_BYTES })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(url)
    throw new Problem('provider_failed', `${url} is not packed as it says`, { cause: error })
  }
}

function tooLarge(url: string): Problem {
  return new Problem('too_large', `${url} has more than ${MOST_BYTES} bytes, which is the most that is fetched`)
}
