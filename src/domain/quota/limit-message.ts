import { nextClockTime } from './clock-time.ts'

/** A limit as it was told: the words, and when it ends where they say so. */
export interface ToldLimit {
  message: string
  resets_at: Date | null
}

/** How programs and servers say that a limit is reached. A row is added when a program changes its words; each has an example in the test. */
// oxfmt-ignore
export const limitPatterns: readonly { program: string; said: RegExp }[] = [
  { program: 'Claude Code', said: /\busage limit reached\|\d{10}\b/i },
  { program: 'Claude Code', said: /\b(?:you['’]ve hit your|reached your)(?: [\w-]+){0,3} limit\b[^\n]{0,120}?\breset/i },
  { program: 'Claude Code', said: /\b(?:usage|session|weekly|5-hour|opus|sonnet) limit reached\b/i },
  { program: 'Claude Code', said: /\bwould exceed your account['’]s rate limit\b/i },
  { program: 'Codex',       said: /\byou['’]ve hit your usage limit\b/i },
  { program: 'Codex',       said: /\busage_limit_reached\b|\bthe usage limit has been reached\b/i },
  { program: 'Gemini CLI',  said: /\byou have exhausted your (?:capacity|daily quota)\b|\byour quota will reset after\b/i },
  { program: 'Gemini CLI',  said: /\bRESOURCE_EXHAUSTED\b|\bresource (?:has been )?exhausted\b|\bexceeded your current quota\b/i },
  { program: 'Gemini CLI',  said: /\bquota exceeded for quota metric\b/i },
  { program: 'opencode',    said: /\bfree usage exceeded\b|\bFreeUsageLimitError\b/i },
  { program: 'opencode',    said: /\b(?:rate limit exceeded|too many requests)\b[^\n]{0,80}?\bretry(?:ing)? (?:in|after)\b/i },
]

/** Reads a text in which a program may say that a limit is reached; null where it does not. */
export function readLimit(text: string, now: Date): ToldLimit | null {
  const found = limitPatterns.find(({ said }) => said.test(text))
  if (found === undefined) return null
  return { message: lineWith(text, found.said), resets_at: resetIn(text, now) }
}

/** The longest answer that is taken for nothing but such a message: an agent may write about limits in an answer of its own. */
const BARE_CHARS = 600

/** The same for a text that came as an answer and not as an error: only where it says nothing else. */
export function readBareLimit(text: string, now: Date): ToldLimit | null {
  const bare = text.trim()
  if (bare.length > BARE_CHARS || bare.split('\n').length > 4) return null
  const said = limitPatterns.some((pattern) => (pattern.said.exec(bare)?.index ?? Infinity) <= 40)
  return said ? readLimit(bare, now) : null
}

const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 }

/** When a message says that the limit ends: as seconds since 1970, as a time of the clock, or as what is left. */
export function resetIn(text: string, now: Date): Date | null {
  const epoch = /\|(\d{10})\b|"resets_at":\s*(\d{10})\b/.exec(text)
  if (epoch !== null) return new Date(Number(epoch[1] ?? epoch[2]) * 1_000)
  const left =
    /(?:reset(?:s)? (?:in|after)|(?:try again|retry(?:ing)?) (?:in|after)|"resets_in_seconds":)\s*((?:\d+(?:\.\d+)?\s*(?:d(?:ays?)?|h(?:ours?)?|m(?:in(?:utes?)?)?|s(?:ec(?:onds?)?)?)[\s,]*)+|\d+)/i.exec(
      text,
    )
  if (left !== null) return new Date(now.getTime() + durationIn(left[1] ?? ''))
  return nextClockTime(text, now)
}

function durationIn(text: string): number {
  if (/^\d+$/.test(text.trim())) return Number(text) * 1_000
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi)]
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNITS_MS[(unit ?? 's').toLowerCase()] ?? 0), 0)
}

/** The line that says it, cut where it is long: it is shown in one line of a screen. */
function lineWith(text: string, said: RegExp): string {
  const line = text.split('\n').find((one) => said.test(one)) ?? text
  return line.trim().slice(0, 300)
}
