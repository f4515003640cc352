import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitPatterns, readBareLimit, readLimit } from './limit-message.ts'

const now = new Date('2026-11-18T20:00:00Z')

// The words as people reported them in public threads, and when they say that it ends.
// oxfmt-ignore
const told: readonly [said: string, resets_at: string | null][] = [
  ['Claude AI usage limit reached|1795032000',                                             '2026-11-18T20:00:00.000Z'],
  ["You've hit your limit · resets 12:50am (America/Los_Angeles)",                         '2026-11-19T08:50:00.000Z'],
  ["You've hit your session limit · resets 8:30pm (Asia/Tokyo)",                           '2026-11-19T11:30:00.000Z'],
  ["You've hit your limit · resets 2am (Europe/Berlin)",                                   '2026-11-19T01:00:00.000Z'],
  ["You've hit your weekly limit · resets Nov 21 at 9pm (America/New_York)",               '2026-11-22T02:00:00.000Z'],
  ["You've hit your limit · resets Jan 5 at 9pm (America/New_York)",                       '2027-01-06T02:00:00.000Z'],
  ['Claude usage limit reached. Your limit will reset at 5pm (Europe/Warsaw).',            '2026-11-19T16:00:00.000Z'],
  ['You’ve hit your limit for Claude messages. Limits will reset at 9:30 AM (UTC).',       '2026-11-19T09:30:00.000Z'],
  ['Error: 429 {"error":{"message":"This request would exceed your account\'s rate limit. Please try again later."}}', null],
  ["You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 2 days 17 hours 14 minutes.", '2026-11-21T13:14:00.000Z'],
  ["You've hit your usage limit. To get more access now, send a request to your admin or try again at Nov 20th, 2026 2:57 PM (UTC).", '2026-11-20T14:57:00.000Z'],
  ["You've hit your usage limit. Try again later.",                                        null],
  ['{"error":{"type":"usage_limit_reached","resets_in_seconds": 3600}}',                   '2026-11-18T21:00:00.000Z'],
  ['You have exhausted your capacity on this model. Your quota will reset after 3h20m5s.', '2026-11-18T23:20:05.000Z'],
  ['[API Error: {"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}]', null],
  ['Quota exceeded for quota metric requests. Please retry in 34.5s.',                     '2026-11-18T20:00:34.500Z'],
  ['Free usage exceeded, subscribe to Go [retrying in 6h16m attempt #1]',                  '2026-11-19T02:16:00.000Z'],
  ['Rate limit exceeded. Please try again later. retrying in 20h28m',                      '2026-11-19T16:28:00.000Z'],
]

test('[A160] what Claude Code, Codex, Gemini CLI and opencode say about a limit is read, with the time they name', () => {
  const read = told.map(([said]) => [said, readLimit(said, now)?.resets_at?.toISOString() ?? null])

  assert.deepEqual(read, told)
  for (const [said] of told) assert.ok(readLimit(said, now) !== null, said)
  for (const { said, program } of limitPatterns)
    assert.ok(
      told.some(([words]) => said.test(words)),
      `${program} ${said} has no example`,
    )
})

test('[A160] an answer that speaks of limits is an answer, and one that says nothing but that is not', () => {
  const answer = `I added a test for the message "You've hit your usage limit", which the client prints.\n${'It passes.\n'.repeat(8)}`
  const quoted = 'The client now retries when the server says RESOURCE_EXHAUSTED.'

  assert.equal(readBareLimit(answer, now), null)
  assert.equal(readBareLimit(quoted, now), null)
  assert.equal(readBareLimit('All tests pass.', now), null)
  assert.ok(readBareLimit("You've hit your limit · resets 12:50am (America/Los_Angeles)", now) !== null)
})
