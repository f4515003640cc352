import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NextOutput } from '../src/mcp/next-output.ts'
import { quickest, type Bench, type Row } from './bench.ts'
import { connect, type LineClient } from './mcp/line-client.ts'

const troupe = join(import.meta.dirname, '../bin/troupe')
const bare = join(import.meta.dirname, 'mcp/bare-server.mjs')

/** What our part of an MCP call costs, against a server of the same SDK that answers with as much and decides nothing. */
export const bench: Bench = {
  name: 'workflows over MCP',
  run: async () => {
    const home = mkdtempSync(join(tmpdir(), 'troupe-bench-mcp-'))
    try {
      return await measure(home)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
}

async function measure(home: string): Promise<Row[]> {
  const machine = { cwd: home, env: { PATH: process.env['PATH'], HOME: home } }
  mkdirSync(join(home, '.troupe', 'workflows'), { recursive: true })
  for (const steps of [5, 1000]) writeFileSync(join(home, `.troupe/workflows/${steps}.json`), JSON.stringify(workflow(steps)))
  const ours = await connect(troupe, ['mcp'], machine)
  try {
    const small = { workflowId: 'steps-5', completedSteps: keys(2), context: { size: 'large' } }
    const large = { workflowId: 'steps-1000', completedSteps: keys(500), context: { size: 'large' } }
    return [
      await perCall('workflow_next, 5 steps, against a bare tool', ours, small, machine),
      await perCall('workflow_next, 1 000 steps, 500 done, against a bare tool', ours, large, machine),
      await flatness(ours),
      await durable(ours),
      await start(machine),
      await memory(small, machine),
    ]
  } finally {
    await ours.close()
  }
}

/** Calls before the clock starts, so that both programs are as quick as their engine can make them. */
const WARM = 3000

type Machine = Parameters<typeof connect>[2]

async function perCall(what: string, ours: LineClient, args: object, machine: Machine): Promise<Row> {
  const file = join(machine.cwd, 'answer.json')
  writeFileSync(file, JSON.stringify(await ours.call(args)))
  const floor = await connect(process.execPath, [bare, file], machine)
  const batch = (client: LineClient) => async () => {
    for (let at = 0; at < 100; at++) await client.call(args)
  }
  for (const client of [floor, ours]) for (let at = 0; at < WARM; at++) await client.call(args)
  const best = await quickest(15, { floor: batch(floor), ours: batch(ours) })
  await floor.close()
  return { what, unit: 'ms', floor: best.floor / 100, ours: best.ours / 100, budget: { at_most: 1.3 } }
}

/** The same question to a workflow of 5 and of 1 000 steps. */
async function flatness(ours: LineClient): Promise<Row> {
  const batch = (workflowId: string) => async () => {
    for (let at = 0; at < 100; at++) await ours.call({ workflowId, completedSteps: keys(2), context: { size: 'large' } })
  }
  const best = await quickest(15, { five: batch('steps-5'), thousand: batch('steps-1000') })
  return {
    what: 'workflow_next, 1 000 steps against 5',
    unit: 'ms',
    floor: best.five / 100,
    ours: best.thousand / 100,
    budget: { at_most: 1.3 },
  }
}

/** The last hundred steps of a run of a thousand against its first hundred; the quickest tenth of each, because a disk has moods. */
async function durable(ours: LineClient): Promise<Row> {
  let run = NextOutput.parse(structuredIn(await ours.call({ workflowId: 'steps-1000', context: { size: 'large' } }, 'workflow_start'))).run
  const took: number[] = []
  while (run !== null) {
    const started = performance.now()
    const answer = NextOutput.parse(structuredIn(await ours.call({ run, output: 'This is what came of the step.' })))
    took.push(performance.now() - started)
    run = answer.isComplete ? null : answer.run
  }
  if (took.length !== 1000) throw new Error(`the run ended after ${took.length} steps`)
  return {
    what: 'a durable advance, step 1 000 against step 1',
    unit: 'ms',
    floor: typical(took.slice(0, 100)),
    ours: typical(took.slice(-100)),
    budget: { at_most: 1.3 },
  }
}

async function start(machine: Machine): Promise<Row> {
  const once = (program: string, args: readonly string[]) => async () => (await connect(program, args, machine)).close()
  const best = await quickest(10, { floor: once(process.execPath, [bare]), ours: once(troupe, ['mcp']) })
  return { what: 'start to handshake, against a bare server', unit: 'ms', ...best, budget: { at_most: 1.3 } }
}

/** Most of what is resident is the engine itself: 47 MiB are pages of its program, which all processes of it share. */
async function memory(args: object, machine: Machine): Promise<Row> {
  const fresh = await connect(troupe, ['mcp'], machine)
  for (let at = 0; at < 5000; at++) await fresh.call(args)
  const row: Row = { what: 'memory after 5 000 calls', unit: 'MiB', ours: fresh.memory(), budget: { at_most: 90 } }
  await fresh.close()
  return row
}

function workflow(steps: number) {
  return {
    id: `steps-${steps}`,
    name: 'Bench',
    description: 'For a measurement.',
    version: '1.0.0',
    steps: keys(steps).map((id, at) => ({
      id,
      title: `Step ${at}`,
      prompt: 'Describe what is to be done here in a sentence or two, as people do.',
      agentRole: 'Act as a careful engineer. Read before you conclude, and show evidence for what you claim.',
      guidance: ['Look at the tests first', 'Name files by their real paths'],
      ...(at % 10 === 9 && { runCondition: { var: 'size', equals: 'large' } }),
    })),
  }
}

function keys(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `step-${at}`)
}

function structuredIn(result: unknown): unknown {
  const { structuredContent, isError } = result as { structuredContent: unknown; isError?: boolean } // a result of tools/call
  if (isError) throw new Error(JSON.stringify(result))
  return structuredContent
}

function typical(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 10)] ?? Number.NaN
}
