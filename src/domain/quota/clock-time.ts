/** Words of a time of the clock after "resets" or "try again at": `May 5 at 9pm (America/New_York)`, `2:51 PM`, `Jan 9th, 2026 2:51 PM`. */
const SAID =
  /(?:resets?(?: at)?|reset at|try again at)[\s:]+(?:([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?,? (?:at )?)?(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(am|pm)?(?:\s*\(([A-Za-z0-9_/+-]+)\))?/i

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const DAY_MS = 86_400_000

/** A program names the same time for a while after it: without this a limit that just ended would be taken for tomorrow's. */
const PASSED_MS = 15 * 60_000

/** When a clock shows the time that is named in a text, the next time; null where none is named. Without a zone it is this machine's. */
export function nextClockTime(text: string, now: Date): Date | null {
  const [whole, month, day, year, hours, minutes = '0', half, zone] = SAID.exec(text) ?? []
  if (whole === undefined || (half === undefined && minutes === '0' && month === undefined)) return null
  const clock = { hour: hourOf(Number(hours), half), minute: Number(minutes) }
  if (clock.hour > 23 || clock.minute > 59) return null
  const timeZone = knownZone(zone)
  const today = partsIn(now, timeZone)
  if (month === undefined) {
    const at = instantOf({ ...today, ...clock }, timeZone)
    return at > now.getTime() - PASSED_MS
      ? new Date(at)
      : new Date(instantOf({ ...partsIn(new Date(now.getTime() + DAY_MS), timeZone), ...clock }, timeZone))
  }
  const named = { year: Number(year ?? today.year), month: MONTHS.indexOf(month.toLowerCase()) + 1, day: Number(day), ...clock }
  if (named.month === 0) return null
  const at = instantOf(named, timeZone)
  // A limit of the last days of December ends in the next year.
  return new Date(year === undefined && at < now.getTime() - DAY_MS ? instantOf({ ...named, year: named.year + 1 }, timeZone) : at)
}

interface WallClock {
  year: number
  month: number
  day: number
  hour: number
  minute: number
}

function hourOf(hours: number, half: string | undefined): number {
  if (half === undefined) return hours
  return (hours % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

function knownZone(zone: string | undefined): string | undefined {
  try {
    return zone === undefined ? undefined : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

function partsIn(at: Date, timeZone: string | undefined): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    ...(timeZone !== undefined && { timeZone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const found = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = found
  return { year, month, day, hour, minute }
}

/** The moment at which a clock in a zone shows this; looked at twice, because the offset may change in between. */
function instantOf(wall: WallClock, timeZone: string | undefined): number {
  const wanted = utcOf(wall)
  const once = wanted - offsetAt(wanted, timeZone)
  return wanted - offsetAt(once, timeZone)
}

function offsetAt(at: number, timeZone: string | undefined): number {
  return utcOf(partsIn(new Date(at), timeZone)) - Math.floor(at / 60_000) * 60_000
}

function utcOf({ year, month, day, hour, minute }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}
