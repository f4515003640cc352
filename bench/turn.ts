import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { playRun } from '../src/agent/loop.ts'
import { startRun } from '../src/agent/run/start.ts'
import { plainAgent } from '../src/agent/test-agent.ts'
import { testCheckpoints } from '../src/checkpoints/test-settings.ts'
import { openProvider } from '../src/providers/open.ts'
import { testFolder, type Cleanup } from '../src/sandbox/test-folder.ts'
import { openStore } from '../src/store/open.ts'
import { startInstantModel } from './agent/instant-model.ts'
import { hundredAgentsRows } from './agent/hundred-agents.ts'
import { bareExchange } from './agent/bare-exchange.ts'
import type { Bench, Row } from './report/bench.ts'

const TURNS = 500
const TRIES = 3
const windows = { 'turns 1 to 20': [0, 20], 'turns 41 to 60': [40, 60], 'turns 481 to 500': [480, 500] } as const

/** One turn with one tool call, everything stored, of one agent and of a hundred at once, against bare Node that does the same exchange and appends it to a file. */
export const bench: Bench = { name: 'one agent turn', run }

async function run(t: Cleanup): Promise<Row[]> {
  return [...(await hundredAgentsRows(t)), ...(await turnRows(t))]
}

async function turnRows(t: Cleanup): Promise<Row[]> {
  const folder = await testFolder(t)
  await writeFile(join(folder, 'README.md'), 'line\n'.repeat(40))
  const url = await startInstantModel(t, TURNS)
  const ours: number[][] = []
  const floor: number[][] = []
  for (let at = 0; at < TRIES; at++) {
    floor.push(await bareTurns(url, folder))
    ours.push(await ourTurns(t, url, folder, at))
  }
  return Object.entries(windows).map(([what, [from, to]]) => {
    return { what, unit: 'ms', ours: quick(ours, from, to), floor: quick(floor, from, to), budget: { at_most: 2.5 } }
  })
}

/** The time each turn took: from one reply to the next. */
async function ourTurns(t: Cleanup, url: string, folder: string, at: number): Promise<number[]> {
  const driver = await openStore(`sqlite:${join(folder, `troupe-${at}.db`)}`)
  const provider = await openProvider('own', { env: {}, providers: { own: { kind: 'openai-compatible', base_url: `${url}/v1` } } })
  const replied: number[] = [performance.now()]
  const agent = await plainAgent({
    driver,
    checkpoints: await testCheckpoints(t),
    chosenModelFor: async () => ({ provider, model: 'loopback' }),
    onEvent: (event) => void (event.type === 'message' && replied.push(performance.now())),
  })
  const request = { agent_role: 'actor', model: 'own/loopback', workspace: folder, prompt: 'Go.', limits: { max_turns: TURNS + 2 } }
  const ended = await playRun(agent, await startRun(agent, request), new AbortController().signal)
  await driver.close()
  if (ended.status !== 'completed') throw new Error(`the run ended ${ended.status}: ${ended.reason}`)
  return between(replied)
}

async function bareTurns(url: string, folder: string): Promise<number[]> {
  const replied: number[] = [performance.now()]
  await bareExchange(
    url,
    join(folder, 'history.jsonl'),
    () => readFile(join(folder, 'README.md'), 'utf8'),
    () => replied.push(performance.now()),
  )
  return between(replied)
}

function between(moments: readonly number[]): number[] {
  return moments.slice(1).map((moment, at) => moment - (moments[at] ?? moment))
}

/** The turn that one in ten beats: what else the machine does hits the slower ones. */
function quick(tries: readonly number[][], from: number, to: number): number {
  const all = tries.flatMap((turns) => turns.slice(from, to)).toSorted((a, b) => a - b)
  return all[Math.floor(all.length / 10)] ?? Number.NaN
}
