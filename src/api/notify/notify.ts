import { setTimeout as sleep } from 'node:timers/promises'
import { claimedNotices, claimNotice, forgetNotice } from '../../store/notified.ts'
import type { Driver } from '../../store/driver.ts'
import { log } from '../../store/log.ts'
import { asProblem } from '../../domain/problem.ts'
import type { Need } from '../../domain/need.ts'
import { allNeeds } from '../system.ts'
import type { Channel, Failure } from './channels.ts'
import { notificationOf } from './notification.ts'

/** What telling a person works with. */
export interface NotifyContext {
  driver: Driver
  channels: readonly Channel[]
  /** Where the page is, without a token. */
  page: string
  secrets: readonly string[]
  /** Tells the one who reads the server's log. */
  say: (line: string) => void
  /** How long to wait before each further attempt. */
  waitsMs?: readonly number[]
}

const WAITS_MS = [1_000, 5_000, 25_000]

/** An agent at work appends many lines a second; what waits is looked at once for all of them. */
const LOOK_MS = 500

/** Tells every channel once what waits for a person, now and whenever the log moves, until it is stopped. */
export async function notifyUntil(context: NotifyContext, stopping: AbortSignal): Promise<void> {
  const start = await log.last(context.driver)
  await Promise.all(context.channels.map((channel) => tellChannel(context, channel, start, stopping)))
}

/** Each channel by itself: one that does not answer holds up no other. */
async function tellChannel(context: NotifyContext, channel: Channel, start: number, stopping: AbortSignal): Promise<void> {
  await look(context, channel, stopping)
  let seen = start
  for await (const { seq } of log.tail(context.driver, start, stopping)) {
    if (seq <= seen) continue // looked at already, with a line before it
    await sleep(LOOK_MS, undefined, { signal: stopping }).catch(() => undefined)
    seen = await log.last(context.driver).catch(() => seen)
    await look(context, channel, stopping)
  }
}

/** A store that is away for a moment is asked again with the next line. */
async function look(context: NotifyContext, channel: Channel, stopping: AbortSignal): Promise<void> {
  try {
    await tellNew(context, channel, stopping)
  } catch (error) {
    const problem = asProblem(error)
    if (!problem.retryable) throw error
    context.driver.warn(problem)
  }
}

async function tellNew(context: NotifyContext, channel: Channel, stopping: AbortSignal): Promise<void> {
  const { driver } = context
  const needs = await allNeeds(driver)
  const waiting = new Set(needs.map(keyOf))
  const told = new Set(await claimedNotices(driver, channel.key))
  for (const key of told) if (!waiting.has(key)) await forgetNotice(driver, channel.key, key)
  for (const need of needs) {
    if (stopping.aborted) return
    if (!told.has(keyOf(need)) && (await claimNotice(driver, channel.key, keyOf(need)))) await tell(context, channel, need, stopping)
  }
}

/** What a stop cut off is told by the next server. */
async function tell(context: NotifyContext, channel: Channel, need: Need, stopping: AbortSignal): Promise<void> {
  const failure = await sendPatiently(context, channel, need, stopping)
  if (failure === null) return
  if (stopping.aborted) return forgetNotice(context.driver, channel.key, keyOf(need))
  context.say(`A notification by ${channel.name} was not sent: ${failure.why}.`)
}

async function sendPatiently(context: NotifyContext, channel: Channel, need: Need, stopping: AbortSignal): Promise<Failure> {
  const { driver, page, secrets, waitsMs = WAITS_MS } = context
  const notice = await notificationOf(driver, need, page, secrets)
  let failure = await channel.send(notice, stopping)
  for (const waitMs of waitsMs) {
    if (failure === null || !failure.again || stopping.aborted) return failure
    await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined)
    if (!stopping.aborted) failure = await channel.send(notice, stopping)
  }
  return failure
}

/** A job that waited for approval and is stopped now is something else. */
function keyOf({ id, severity }: Need): string {
  return `${id} ${severity}`
}
