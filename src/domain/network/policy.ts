import * as z from 'zod'
import { refusedAddress } from './address.ts'
import { hostText, readHost, readPort, type Host } from './host.ts'
import { isListName, readyLists } from './lists.ts'

/** One line of a list: a host, or every name below it. Without a port it means those of the web, 80 and 443. */
export interface NetworkRule {
  host: string
  below: boolean
  port: number | null
}

/** What may be reached: nothing, everything, or what a list names. An empty list is not `off`: people are asked about what it lacks. */
export type NetworkPolicy = 'off' | 'on' | readonly NetworkRule[]

/** What is written in settings and role files. */
export type NetworkSetting = boolean | 'off' | 'on' | readonly string[]

const WEB_PORTS = [80, 443]
const MOST_RULES = 500

const DomainRule = z.string().superRefine((text, context) => {
  const read = readRules(text)
  if (typeof read === 'string') context.addIssue({ code: 'custom', message: read })
})

/** What a setting may say. */
export const NetworkSetting = z.union([z.boolean(), z.enum(['off', 'on']), z.array(DomainRule).max(MOST_RULES)], {
  error: 'off, on, or a list such as [npm, example.org, "*.example.org:443"]',
}) satisfies z.ZodType<NetworkSetting>

/** What a setting means. */
export function networkPolicy(setting: NetworkSetting): NetworkPolicy {
  if (typeof setting === 'boolean') return setting ? 'on' : 'off'
  if (typeof setting === 'string') return setting
  return withoutTwins(
    setting.flatMap((text) => {
      const read = readRules(text)
      if (typeof read === 'string') throw new TypeError(read) // the schema refused it before
      return read
    }),
  )
}

/** The setting that says the same as a policy. */
export function settingOf(policy: NetworkPolicy): 'off' | 'on' | string[] {
  return typeof policy === 'string' ? policy : policy.map(ruleText)
}

/** What both allow: each of them can only take away. */
export function narrowedPolicy(one: NetworkPolicy, other: NetworkPolicy): NetworkPolicy {
  if (one === 'off' || other === 'off') return 'off'
  if (one === 'on') return other
  if (other === 'on') return one
  return withoutTwins(one.flatMap((rule) => other.flatMap((second) => inBoth(rule, second) ?? [])))
}

/** What one of two lists allows; for what a person allowed beyond a list. */
export function widenedPolicy(policy: NetworkPolicy, more: readonly NetworkRule[]): NetworkPolicy {
  return typeof policy === 'string' ? policy : withoutTwins([...policy, ...more])
}

/** What either allows. */
export function unitedPolicy(one: NetworkPolicy, other: NetworkPolicy): NetworkPolicy {
  if (one === 'off' || other === 'off') return one === 'off' ? other : one
  return one === 'on' || other === 'on' ? 'on' : withoutTwins([...one, ...other])
}

/** Whether a host, in the spelling of `readHost`, may be reached at a port. */
export function allowsHost(policy: NetworkPolicy, host: Host, port: number): boolean {
  if (typeof policy === 'string') return policy === 'on'
  const text = hostText(host)
  return policy.some((rule) => {
    const isHost = rule.below ? 'name' in host && text.endsWith(`.${rule.host}`) : rule.host === text
    return isHost && portsOf(rule).includes(port)
  })
}

/** Whether everything that a policy allows is allowed by another. */
export function isWithin(policy: NetworkPolicy, most: NetworkPolicy): boolean {
  if (policy === 'off' || most === 'on') return true
  if (policy === 'on' || most === 'off') return false
  return policy.every((rule) => portsOf(rule).every((port) => most.some((wide) => covers(wide, rule) && portsOf(wide).includes(port))))
}

/** A rule as it is written. */
export function ruleText({ host, below, port }: NetworkRule): string {
  return `${below ? '*.' : ''}${host}${port === null ? '' : `:${port}`}`
}

/** The rules that one line stands for, or what is wrong with it and how to write it. */
function readRules(text: string): NetworkRule[] | string {
  if (isListName(text)) {
    return readyLists[text].flatMap((line) => {
      const read = readRules(line)
      return typeof read === 'string' ? [] : read // a test reads each of them
    })
  }
  const shown = JSON.stringify(text.slice(0, 100))
  if (text.includes('/')) return `${shown} is an address; write only its host, such as example.org`
  if (text === '*') return 'everything is `on`, not "*"'
  const parts = /^(\*\.)?(\[[^[\]]*\]|[^:[\]]*)(?::(.*))?$/s.exec(text)
  const host = readHost(parts?.[2] ?? '')
  const port = parts?.[3] === undefined ? null : readPort(parts[3])
  if (parts === null || host === null || parts[2]?.includes('*')) return `${shown} is not a domain; write example.org or *.example.org:443`
  if (parts[3] !== undefined && port === null) return `${shown} has no valid port; write a number from 1 to 65535`
  const below = parts[1] !== undefined
  const fault = 'name' in host ? faultOfName(host.name, below) : faultOfAddress(host.address, below)
  return fault === null ? [{ host: hostText(host), below, port }] : `${shown} ${fault}`
}

function faultOfName(name: string, below: boolean): string | null {
  const lists = Object.keys(readyLists).join(', ')
  if (name === 'localhost' || name.endsWith('.localhost')) return 'is this machine, which is never reached'
  if (!name.includes('.'))
    return `is neither a domain such as example.org nor one of the lists ${lists}${below ? '; *. needs a domain behind it' : ''}`
  return null
}

function faultOfAddress(address: string, below: boolean): string | null {
  if (below) return 'is an address, and nothing is below one; leave out *.'
  const what = refusedAddress(address)
  return what === null ? null : `is an address that is never reached (${what})`
}

function inBoth(one: NetworkRule, other: NetworkRule): NetworkRule | null {
  const host = covers(one, other) ? other : covers(other, one) ? one : null
  const ports = portsOf(one).filter((port) => portsOf(other).includes(port))
  if (host === null || ports.length === 0) return null
  return { ...host, port: ports.length === 1 ? (ports[0] ?? null) : null }
}

/** Whether every host of a rule is one of another's. */
function covers(wide: NetworkRule, rule: NetworkRule): boolean {
  if (wide.below) return rule.host.endsWith(`.${wide.host}`) || (rule.below && rule.host === wide.host)
  return !rule.below && rule.host === wide.host
}

function portsOf({ port }: NetworkRule): number[] {
  return port === null ? WEB_PORTS : [port]
}

function withoutTwins(rules: readonly NetworkRule[]): NetworkRule[] {
  return [...new Map(rules.map((rule) => [ruleText(rule), rule])).values()]
}
