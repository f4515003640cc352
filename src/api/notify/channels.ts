import { createHash, createHmac } from 'node:crypto'
import type { Environment } from '../../config/places.ts'
import type { Config } from '../../config/schema.ts'
import { messageOf } from '../../domain/problem.ts'
import { runProcess } from '../../sandbox/process/run-process.ts'
import { scrubbedEnvironment } from '../../sandbox/process/environment.ts'
import type { Notification } from './notification.ts'

/** How one attempt failed, and whether another may succeed; null when it did not. */
export type Failure = { why: string; again: boolean } | null

/** A way to tell a person something. */
export interface Channel {
  name: string
  /** Names the receiver, so that what one was told is not taken for told to another. */
  key: string
  send: (notice: Notification, signal: AbortSignal) => Promise<Failure>
}

/** An answer that has not come by then is taken for none. */
const SEND_MS = 10_000
const COMMAND_MS = 30_000
const PRINTED_BYTES = 10_000

const ntfyPriority = { critical: 5, major: 4, minor: 3 } as const satisfies Record<Notification['severity'], number>

/** The channels that are configured. One whose variable is not set is left out: unsigned or without its token it would be wrong. */
export function openChannels(
  { webhook, ntfy, command }: Config['notifications'],
  env: Environment,
  say: (line: string) => void,
): Channel[] {
  const isReady = (name: string | undefined, setting: string) => {
    if (name === undefined || env[name]) return true
    say(`${setting} names ${name}, which is not set, so nothing is sent there.`)
    return false
  }
  const channels: Channel[] = []
  if (webhook && isReady(webhook.secret_env, 'notifications.webhook.secret_env'))
    channels.push(webhookChannel(webhook.url, env[webhook.secret_env ?? '']))
  if (ntfy && isReady(ntfy.token_env, 'notifications.ntfy.token_env')) channels.push(ntfyChannel(ntfy.url, env[ntfy.token_env ?? '']))
  const [program, ...args] = command ?? []
  if (program !== undefined) channels.push(commandChannel([program, ...args]))
  return channels
}

function webhookChannel(url: string, secret: string | undefined): Channel {
  const send: Channel['send'] = (notice, signal) => {
    const seconds = String(Math.floor(Date.now() / 1_000))
    const body = JSON.stringify({ ...notice, timestamp: Number(seconds) })
    const signature = secret && { 'x-troupe-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }
    return post(url, body, { 'x-troupe-timestamp': seconds, ...signature }, signal)
  }
  return { name: 'webhook', key: keyOf('webhook', url), send }
}

/** As JSON to the server, because a header cannot hold every letter of a title. */
function ntfyChannel(url: string, token: string | undefined): Channel {
  const address = new URL(url)
  const parts = address.pathname.split('/').filter((part) => part !== '')
  const topic = decodeURIComponent(parts.pop() ?? '')
  const server = new URL(`/${parts.join('/')}`, address).href
  const send: Channel['send'] = (notice, signal) => {
    const { title, link: click, severity } = notice
    const body = JSON.stringify({ topic, title, message: placeText(notice), click, priority: ntfyPriority[severity] })
    return post(server, body, token ? { authorization: `Bearer ${token}` } : {}, signal)
  }
  return { name: 'ntfy', key: keyOf('ntfy', url), send }
}

function commandChannel(argv: [string, ...string[]]): Channel {
  const send: Channel['send'] = async (notice, signal) => {
    const env = scrubbedEnvironment({ TROUPE_TITLE: notice.title, TROUPE_TEXT: placeText(notice), TROUPE_LINK: notice.link })
    try {
      const options = { env, stdin: JSON.stringify(notice), timeoutMs: COMMAND_MS, outputBytes: PRINTED_BYTES, signal }
      const { ended, exit_code } = await runProcess(argv, options)
      if (ended === 'exited' && exit_code === 0) return null
      return { why: ended === 'exited' ? `exit code ${exit_code}` : ended.replace('_', ' '), again: ended === 'exited' }
    } catch (error) {
      return { why: messageOf(error), again: false }
    }
  }
  return { name: 'command', key: keyOf('command', JSON.stringify(argv)), send }
}

/** A redirect is not followed: it would carry the text to a place nobody named. Of the answer only its status is read. */
async function post(url: string, body: string, more: Record<string, string>, stopping: AbortSignal): Promise<Failure> {
  const { host } = new URL(url) // the path may be all that a receiver is protected by, so no failure tells it
  const headers = { 'content-type': 'application/json', 'user-agent': 'troupe', ...more }
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(SEND_MS)])
  try {
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal })
    await answer.body?.cancel()
    if (answer.ok) return null
    return { why: `${host} answered ${answer.status}`, again: answer.status >= 500 || answer.status === 429 }
  } catch {
    return { why: signal.aborted ? `${host} did not answer` : `${host} could not be reached`, again: true }
  }
}

function placeText({ where, project }: Notification): string {
  return [where, project].filter((part) => part).join(' · ')
}

function keyOf(kind: string, target: string): string {
  return `${kind} ${createHash('sha256').update(target).digest('hex')}`
}
