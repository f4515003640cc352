import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { playRun } from '../src/agent/loop.ts'
import { startRun } from '../src/agent/run/start.ts'
import { plainAgent } from '../src/agent/test-agent.ts'
import { serverSession } from '../src/outside/session.ts'
import { aReviewedServer, placeIn, testServerSettings } from '../src/outside/test-servers.ts'
import { scriptedProvider } from '../src/providers/script/scripted.ts'
import { testFolder, type Cleanup } from '../src/sandbox/test-folder.ts'
import { openTestStore } from '../src/store/test-store.ts'
import { allTools } from '../src/tools/all.ts'
import { manyTools } from '../src/tools/outside/test-many-tools.ts'
import type { Tool } from '../src/tools/tool.ts'
import { quickest, typical, type Bench, type Row } from './report/bench.ts'

const CALLS = 400
const WARM = 100
const TURNS = 60

/** What a tool of an MCP server costs: a call beside one by the SDK's own client without a sandbox, and a turn with ten servers that nobody uses. */
export const bench: Bench = { name: 'tools of MCP servers', run: async (t) => [await callRow(t), await turnRow(t)] }

async function callRow(t: Cleanup): Promise<Row> {
  const behaviour = { tools: [{ name: 'echo' }] }
  const server = await aReviewedServer(t, testServerSettings(behaviour))
  const [tool] = server.reviewed?.tools ?? []
  if (tool === undefined) throw new Error('the server has no tool')
  const session = serverSession()
  t.after(() => session.end())
  const place = await placeIn(await testFolder(t))
  const bare = new Client({ name: 'bare', version: '0' })
  const script = fileURLToPath(new URL('../src/outside/test-server.mjs', import.meta.url))
  await bare.connect(new StdioClientTransport({ command: process.execPath, args: [script, JSON.stringify(behaviour)] }))
  t.after(() => bare.close())
  await bare.listTools()
  const input = { text: 'x'.repeat(1_000) }
  const { signal } = new AbortController()
  const works = {
    floor: () => bare.callTool({ name: 'echo', arguments: input }),
    ours: () => session.call({ server, tool, input, place, signal }),
  }
  for (let at = 0; at < WARM; at++) await Promise.all([works.floor(), works.ours()])
  const { floor, ours } = await typical(CALLS, works)
  return { what: 'one call, against the client of the SDK', unit: 'ms', ours, floor, budget: { at_most: 1.3 } }
}

async function turnRow(t: Cleanup): Promise<Row> {
  const workspace = await testFolder(t)
  const runWith = async (tools: readonly Tool[]) => {
    const driver = await openTestStore(t)
    const calls = [{ tool: 'list_directory', input: { path: '.' } }]
    const provider = scriptedProvider([...Array.from({ length: TURNS }, () => ({ calls })), { text: 'Done.' }])
    const agent = await plainAgent({ driver, tools, chosenModelFor: async () => ({ provider, model: 'test' }) })
    const run = await startRun(agent, { agent_role: 'actor', model: 'scripted/test', workspace, prompt: 'Go.' })
    await playRun(agent, run, new AbortController().signal)
  }
  const many = [...allTools, ...manyTools()]
  const { floor, ours } = await quickest(6, { floor: () => runWith(allTools), ours: () => runWith(many) })
  return { what: `${TURNS} turns beside 10 idle servers, against none`, unit: 'ms', ours, floor, budget: { at_most: 1.05 } }
}
