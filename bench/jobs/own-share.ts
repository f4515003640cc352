import { ChildProcess } from 'node:child_process'
import { lowest, processMs } from '../report/bench.ts'

/** What a piece of work took of us: the clock and the processor while none of its child processes was running. */
export interface OwnShare {
  wall: number
  processor: number
}

/** What a piece of work took besides its child processes. They are taken out as they run, not measured apart and subtracted: that would drown in noise. */
export async function ownShare(work: () => Promise<unknown>): Promise<OwnShare> {
  const watch = watchChildren()
  const before = now()
  try {
    await work()
    const all = since(before)
    return { wall: all.wall - watch.inChildren.wall, processor: all.processor - watch.inChildren.processor }
  } finally {
    watch.stop()
  }
}

/** The smallest of each of several tries; what makes each of them ready is not counted. */
export async function leastShare(tries: number, work: () => Promise<unknown>, before?: () => Promise<unknown>): Promise<OwnShare> {
  let least = { wall: Infinity, processor: Infinity }
  for (let at = 0; at < tries; at++) {
    await before?.()
    least = lowest(least, await ownShare(work))
  }
  return least
}

/** Adds up the time from the start of a child to the end of its output, whoever starts it. Two at once count once. */
function watchChildren() {
  const inChildren = { wall: 0, processor: 0 }
  const { prototype } = ChildProcess as unknown as { prototype: { spawn: (...given: unknown[]) => unknown } } // not in its types
  const spawn = prototype.spawn
  let running = 0
  let started = now()
  prototype.spawn = function (this: ChildProcess, ...given: unknown[]) {
    if (running++ === 0) started = now()
    this.once('close', () => {
      if (--running > 0) return
      const took = since(started)
      inChildren.wall += took.wall
      inChildren.processor += took.processor
    })
    return spawn.apply(this, given)
  }
  return { inChildren, stop: () => void (prototype.spawn = spawn) }
}

function now(): OwnShare {
  return { wall: performance.now(), processor: processMs() }
}

function since(before: OwnShare): OwnShare {
  const after = now()
  return { wall: after.wall - before.wall, processor: after.processor - before.processor }
}
