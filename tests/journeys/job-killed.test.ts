import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { compiledCode } from '../../src/sandbox/test-compiled-code.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { beginRepository } from '../../src/worktrees/test-repository.ts'
import type { Kind } from './job-actors.ts'
import { faultsIn } from './job-aftermath.ts'
import type { Order, Told } from './job-player.ts'
import type { Moment } from './write-points.ts'

/** How many moments are tried of each kind; `all` takes minutes. */
const TRIED = process.env['TROUPE_KILLS'] === 'all' ? Infinity : Number(process.env['TROUPE_KILLS'] ?? 6)

for (const kind of ['scripted', 'outside'] as const) {
  test(`[J36] the three-phase job of ${kind} agents, killed before, amid or after any of its writes, is carried to its merge by the next process, and nothing is lost or paid for unrecorded`, async (t) => {
    const lane = await openLane(kind)
    t.after(() => lane.close())
    const acts = await lane.playWhole()
    const moments = momentsIn(acts)

    const faults: string[] = []
    for (const moment of sample(moments, TRIED))
      faults.push(...(await lane.killAt(moment)).map((fault) => `${moment.when} ${moment.label}: ${fault}`))

    assert.deepEqual(faults, [])
    assert.ok(moments.length > 300, `only ${moments.length} moments`)
    t.diagnostic(`${Math.min(TRIED, moments.length)} of ${moments.length} moments`)
  })
}

/** One act of the life: the folder as it was before it, and what was written in it. */
interface Act {
  snapshot: string
  writes: string[]
}

type Deadly = Moment & { snapshot: string; label: string }

/** A folder in which the life of a job is played, again and again from any of its acts. */
async function openLane(kind: Kind) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'troupe-life-')))
  const folder = join(root, 'life')
  await beginRepository(join(folder, 'source'), { 'a.txt': 'one\n' })
  await gitText(join(folder, 'source'), ['branch', 'release'])
  await mkdir(join(folder, 'ledger'))
  const survivor = startPlayer(folder, kind, root)
  let next = startPlayer(folder, kind, root) // started ahead: most of a short life is its beginning

  async function playWhole(): Promise<Act[]> {
    const acts: Act[] = []
    for (let [done, before] = [false, 0]; !done;) {
      const snapshot = join(root, `act-${acts.length}`)
      await cp(folder, snapshot, { recursive: true, verbatimSymlinks: true })
      const told = await survivor.tell({ acts: 'one', kill: null })
      assert.equal(told?.failed, null)
      acts.push({ snapshot, writes: told.writes.slice(before) })
      ;[done, before] = [told.done, told.writes.length]
    }
    assert.deepEqual(await faultsIn(folder), [])
    return acts
  }

  async function killAt({ snapshot, at, when }: Deadly): Promise<string[]> {
    await rm(folder, { recursive: true })
    await cp(snapshot, folder, { recursive: true, verbatimSymlinks: true })
    const victim = next
    next = startPlayer(folder, kind, root)
    const last = await victim.tell({ acts: 'one', kill: { at, when } })
    if (last !== null) {
      await victim.end()
      return [`it was not killed: ${last.failed ?? last.writes.join()}`]
    }
    const told = await survivor.tell({ acts: 'all', kill: null })
    return told?.failed === null ? faultsIn(folder) : [`the next process could not continue: ${told?.failed}`]
  }

  async function close(): Promise<void> {
    await Promise.all([survivor.end(), next.end()])
    await rm(root, { recursive: true, force: true })
  }
  return { playWhole, killAt, close }
}

/** Every write of the life, before, amid and after; what the system does in one go has no middle. */
function momentsIn(acts: readonly Act[]): Deadly[] {
  return acts.flatMap(({ snapshot, writes }, act) =>
    writes.flatMap((what, index) => {
      const whens = /^(rename|rm|mkdir|copyFile) /.test(what) ? (['before', 'after'] as const) : (['before', 'amid', 'after'] as const)
      return whens.map((when) => ({ snapshot, at: index + 1, when, label: `${what} (write ${index + 1} of act ${act + 1})` }))
    }),
  )
}

/** So many of them, spread evenly. */
function sample<Item>(items: readonly Item[], count: number): Item[] {
  const stride = Math.max(1, items.length / count)
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * stride)]).filter(
    (item) => item !== undefined,
  )
}

function startPlayer(folder: string, kind: Kind, root: string) {
  const temporary = join(root, 'temporary') // what a killed process leaves there goes with the test
  mkdirSync(temporary, { recursive: true })
  const player = spawn(process.execPath, [join(import.meta.dirname, 'job-player.ts'), folder, kind], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: join(root, 'cache'), ...compiledCode },
  })
  const complaint = text(player.stderr)
  const ended = once(player, 'close')
  const lines = createInterface(player.stdout)[Symbol.asyncIterator]()

  /** What it says when it is done; null when it was killed. */
  async function tell(order: Order): Promise<Told | null> {
    player.stdin.write(`${JSON.stringify(order)}\n`)
    const { value, done } = await lines.next()
    if (!done) return JSON.parse(value) as Told // its own words
    await ended
    if (player.signalCode !== 'SIGKILL') assert.fail(`the player ended with ${player.exitCode}: ${await complaint}`)
    return null
  }

  async function end(): Promise<void> {
    player.stdin.end()
    await ended
  }
  return { tell, end }
}
