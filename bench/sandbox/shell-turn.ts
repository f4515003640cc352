import { join } from 'node:path'
import { playRun } from '../../src/agent/loop.ts'
import { startRun } from '../../src/agent/run/start.ts'
import { plainAgent } from '../../src/agent/test-agent.ts'
import { openProvider } from '../../src/providers/open.ts'
import { whyNot } from '../../src/sandbox/detect.ts'
import type { SandboxKind } from '../../src/sandbox/sandbox.ts'
import { testFolder, type Cleanup } from '../../src/sandbox/test-folder.ts'
import { openStore } from '../../src/store/open.ts'
import { startShellModel } from '../agent/instant-model.ts'
import { type Row, median } from '../report/bench.ts'

const TURNS = 60

/** A turn of the Actor with one shell command and a model that answers at once, so that nothing is built while it thinks. */
export async function shellTurnRows(t: Cleanup): Promise<Row[]> {
  const folder = await testFolder(t)
  const url = await startShellModel(t, TURNS)
  const rows: Row[] = []
  for (const kind of ['namespaces', 'bubblewrap'] as const) {
    if ((await whyNot(kind)) !== null) continue
    await turns(url, folder, kind, 'warm-up')
    const { first, between } = await turns(url, folder, kind, 'measured')
    rows.push(
      { what: `${kind}, a turn with a shell command`, unit: 'ms', ours: median(between), budget: { at_most: 8 }, why: NOTHING_AHEAD },
      { what: `${kind}, from the start of a run to the answer of its first command`, unit: 'ms', ours: first, budget: { at_most: 20 } },
    )
  }
  return rows
}

async function turns(url: string, folder: string, kind: SandboxKind, name: string): Promise<{ first: number; between: number[] }> {
  const driver = await openStore(`sqlite:${join(folder, `${kind}-${name}.db`)}`)
  const provider = await openProvider('own', { env: {}, providers: { own: { kind: 'openai-compatible', base_url: `${url}/v1` } } })
  const answered: number[] = []
  const agent = await plainAgent({
    driver,
    sandbox: { kind },
    chosenModelFor: async () => ({ provider, model: 'loopback' }),
    onEvent: (event) => void (event.type === 'tool_result' && answered.push(performance.now())),
  })
  const request = { agent_role: 'actor', model: 'own/loopback', workspace: folder, prompt: 'Go.', limits: { max_turns: TURNS + 2 } }
  const started = performance.now()
  const ended = await playRun(agent, await startRun(agent, request), new AbortController().signal)
  await driver.close()
  if (ended.status !== 'completed') throw new Error(`the run ended ${ended.status}: ${ended.reason}`)
  return { first: (answered[0] ?? Number.NaN) - started, between: answered.slice(1).map((moment, at) => moment - (answered[at] ?? moment)) }
}

const NOTHING_AHEAD =
  'the model of this bench answers before the next sandbox is built, so that each turn pays for building one; with a model that thinks for ' +
  'a few milliseconds that is done meanwhile'
