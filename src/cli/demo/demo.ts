import { rmSync } from 'node:fs'
import type { Command } from 'commander'
import { ownToken } from '../../api/token.ts'
import { Problem } from '../../domain/problem.ts'
import { playBoard } from './board.ts'
import { playChat } from './chat.ts'
import { playJob } from './job.ts'
import { emptyFolder, openWorld, type DemoContext } from './context.ts'
import { storyTeller, type DemoPage, type Story } from './story.ts'
import { playWalls } from './walls.ts'
import { isFree } from '../../api/doctor/machine.ts'
import { stopSignal } from '../stop-signal.ts'

interface DemoOptions {
  dir?: string
  keep?: boolean
  json?: boolean
}

/** `troupe demo`: everything Troupe enforces, played on a throw-away project by the rehearsal, with real files, commands and records. */
export function define(demo: Command): void {
  demo
    .option('--dir <folder>', 'create it in this new or empty folder instead of a temporary one')
    .option('--no-keep', 'remove everything at the end')
    .action(async (_options: unknown, command: Command) => showDemo(command.optsWithGlobals<DemoOptions>()))
}

async function showDemo({ dir, keep, json }: DemoOptions): Promise<void> {
  const signal = stopSignal()
  const story = storyTeller(json === true)
  const folder = await emptyFolder(dir)
  // At the very end, whoever ends the process: what is left of a demo that was stopped tells nobody anything.
  process.once('exit', () => (signal.aborted || keep === false) && rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const world = await openWorld(folder, signal)
  try {
    const ids = await playAll(world, story)
    story.end(folder, ids, keep === false ? null : await pageOf(world, ids))
  } catch (error) {
    throw signal.aborted ? new Problem('stopped', `the demo was stopped and ${folder} is removed`) : error
  } finally {
    await world.parts.driver.close()
  }
}

async function playAll(world: DemoContext, story: Story) {
  story.begin(world)
  await playWalls(world, story)
  const chat_id = await playChat(world, story)
  const board_id = await playBoard(world, story)
  const job_id = await playJob(world, story)
  return { chat_id, board_id, job_id }
}

/** What was played, on the page as it will be served from the demo's own home: on a port that is free, for another Troupe refuses its token. */
async function pageOf(
  { parts: { loaded } }: DemoContext,
  { chat_id, board_id, job_id }: Awaited<ReturnType<typeof playAll>>,
): Promise<DemoPage> {
  const token = await ownToken(loaded.places.home)
  const usual = loaded.config.port
  const port = await freePort(usual)
  const places = [`chat/${chat_id}`, `board/${board_id}`, `jobs/${job_id}`, 'roles']
  return {
    serve: port === usual ? 'serve' : `serve --port ${port}`,
    links: places.map((place) => `http://127.0.0.1:${port}/${place}#token=${token}`),
  }
}

const LAST_PORT = 65_535

/** The port, or the next one nobody listens on. */
async function freePort(port: number): Promise<number> {
  return port >= LAST_PORT || (await isFree(port)) ? port : freePort(port + 1)
}
