import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import { anAccount } from '../src/cli/test-account.ts'
import { onScreen } from '../src/cli/test-screen.ts'
import type { Cleanup } from '../src/sandbox/test-folder.ts'
import type { Bench, Row } from './report/bench.ts'

const KEYS = 100

/** From a key to its letter on the screen, while a command prints without an end; over a real pseudo-terminal. */
export const bench: Bench = { name: 'typing in the terminal', run }

async function run(t: Cleanup): Promise<Row[]> {
  const account = await anAccount(t)
  const calls = [{ tool: 'execute_command', input: { command: 'while :; do echo word; sleep 0.005; done' } }]
  await account.write('.config/troupe/config.yaml', `model: ${await account.script({ replies: [{ calls }] })}\n`)
  const screen = onScreen(t, account, ['chat', '--role', 'actor'])
  await screen.shows('actor ›')
  screen.type('go\r')
  await screen.shows('│ word')
  const took: number[] = []
  for (let at = 1; at <= KEYS; at++) {
    await sleep(20 + (at % 7))
    const [before, begun] = [screen.raw().length, performance.now()]
    screen.type('x')
    while (
      !screen
        .raw()
        .slice(before)
        .includes('x'.repeat(((at - 1) % 60) + 1))
    )
      await nextTick()
    took.push(performance.now() - begun)
    if (at % 60 === 0) screen.type('\u0015')
  }
  screen.type('\u0015\u001b')
  await screen.shows('the run was stopped')
  screen.type('/quit\r')
  await screen.ended
  const p95 = took.toSorted((a, b) => a - b)[Math.floor(KEYS * 0.95)] ?? Number.NaN
  return [{ what: 'key to echo while output streams, 95 of 100', unit: 'ms', ours: p95, budget: { at_most: 16 } }]
}
