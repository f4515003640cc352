import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { perform } from '../../src/domain/operation.ts'
import { addTask } from '../../src/board/task/add.ts'
import { holdTask } from '../../src/board/task/block.ts'
import type { BoardWorkspace } from '../../src/board/context.ts'
import { finalizeTask } from '../../src/board/task/finalize.ts'
import { needTask } from '../../src/board/find.ts'
import { launcher, runTroupe } from '../../src/cli/test-account.ts'
import { serving } from '../../src/cli/test-serving.ts'
import { until as waitFor } from '../../src/sandbox/test-until.ts'
import { entries } from '../../src/store/tables.ts'
import { isRecord } from '../../src/domain/text/unknown-value.ts'
import { perform as performOnPage } from '../../web/api.ts'
import { openBoard, teamProject, type TeamProject } from './team-project.ts'
import { planner, reply, teamScript } from './team-script.ts'

/** Unblocks a task by one door; gives back nothing, or what the refusal says. */
type Door = (input: { task: string; answer: string; done_when?: string }) => Promise<string | null>

const blank = { answer: ' ' }
const said = { answer: 'By name', done_when: 'list.txt has 2 lines' }

test('[C88] one operation by HTTP, command line, MCP, agent tool and browser client leaves the same record and refuses with the same words', async (t) => {
  const calls = [blank, said].map((input) =>
    reply(planner, 'BLOCKED_TASK agent', { tool: 'unblock_task', input: { task: 'agent', ...input } }),
  )
  const project = await teamProject(t, teamScript(...calls))
  const board = await openBoard(project)
  await addBlocked(board, 'agent')
  const refusals: Record<string, string | null> = { agent: await asAgent(project, board, 'agent') }
  const records: Record<string, object> = { agent: await recordOf(board, 'agent') }

  for (const [name, unblock] of Object.entries(await openDoors(t, project))) {
    await addBlocked(board, name)
    refusals[name] = await unblock({ task: name, ...blank })
    assert.equal((await needTask(board.driver, board.board_id, name)).item.status, 'BLOCKED')
    assert.equal(await unblock({ task: name, ...said }), null)
    records[name] = await recordOf(board, name)
  }

  const [first, ...others] = Object.values(records)
  for (const record of others) assert.deepEqual(record, first)
  for (const refusal of Object.values(refusals)) assert.match(String(refusal), /answer:? is empty; say it in words/)
})

async function recordOf({ driver, board_id }: BoardWorkspace, id: string): Promise<object> {
  const { status, done_when, blocked_reason, max_iterations, history } = (await needTask(driver, board_id, id)).item
  const { time: _, agent: _by, ...last } = history.at(-1) ?? { time: '' }
  return { status, done_when, blocked_reason, max_iterations, last }
}

async function openDoors(t: TestContext, project: TeamProject): Promise<Record<string, Door>> {
  const { url, ask } = await serving(t, project)
  actAsBrowser(t, url)
  const client = await connect(t, project)
  return {
    http: async (input) => refusalIn(await ask('POST', '/api/board/unblock_task', input)),
    cli: async ({ task, answer, done_when }) => {
      const options = done_when === undefined ? [] : ['--done-when', done_when]
      const args = ['board', 'unblock', task, '--answer', answer, ...options, '--json']
      const { stdout } = await runTroupe(args, { cwd: project.project, env: project.env })
      return refusalIn(JSON.parse(stdout))
    },
    mcp: async (input) => {
      if (input.answer === blank.answer) await client.callTool({ name: 'next_assignment', arguments: { wait_seconds: 5 } })
      const { isError, content } = await client.callTool({ name: 'unblock_task', arguments: input })
      return isError === true ? JSON.stringify(content) : null
    },
    page: (input) => performOnPage('board.unblock_task', input).then(() => null, String),
  }
}

async function addBlocked(board: BoardWorkspace, id: string): Promise<void> {
  const ann = { human: 'ann' }
  const plan = { description: 'List', kind: 'doc', spec_ref: 'spec.md', done_when: 'list.txt exists', scope: 'IN: a file' } as const
  await perform(addTask, { ...board, actor: ann }, { id, ...plan })
  await perform(finalizeTask, { ...board, actor: ann }, { task: id })
  await perform(holdTask, { ...board, actor: ann }, { task: id, reason: 'In which order?' })
}

function refusalIn(answer: unknown): string | null {
  if (!isRecord(answer) || !isRecord(answer['error'])) return null
  return String(answer['error']['message']).replace('--answer', 'answer')
}

/** The client of the page asks relative addresses with the token of its tab. */
function actAsBrowser(t: TestContext, url: URL): void {
  const { fetch } = globalThis
  const token = new URLSearchParams(url.hash.slice(1)).get('token')
  const browser = {
    fetch: (address: string, options: RequestInit) => fetch(new URL(address, url), options),
    localStorage: { getItem: () => token },
  }
  const before = Object.fromEntries(Object.keys(browser).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]))
  for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value, configurable: true })
  t.after(() => {
    for (const [name, was] of Object.entries(before)) if (was) Object.defineProperty(globalThis, name, was)
  })
}

async function connect(t: TestContext, project: TeamProject): Promise<Client> {
  const client = new Client({ name: 'planner', version: '1' })
  const env = { ...project.env, TROUPE_AGENT_ID: 'planner-1' }
  await client.connect(new StdioClientTransport({ command: launcher, args: ['mcp'], cwd: project.project, env }))
  t.after(() => client.close())
  return client
}

/** A planner of ours whose model makes the two calls one after the other; what it was told of the first is in its thread. */
async function asAgent(project: TeamProject, { driver, board_id }: BoardWorkspace, task: string): Promise<string | null> {
  const { child, ended } = project.start(['agent', 'planner', '--model', project.model], undefined, { TROUPE_AGENT_ID: 'planner-2' })
  await waitFor(async () => (await needTask(driver, board_id, task)).item.status !== 'BLOCKED')
  child.kill('SIGTERM')
  await ended
  const told = (await entries.list(driver)).map(({ item }) => JSON.stringify(item))
  return told.find((text) => text.includes('unblock_task') && text.includes('is empty')) ?? null
}
