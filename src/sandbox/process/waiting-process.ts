import { Server, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { type Child, type ChildOptions, killGroup, startChild } from './child.ts'
import { type FollowOptions, connectPipes, followChild } from './run-process.ts'
import type { CommandResult } from '../sandbox.ts'

/** A process that says when it is ready and then waits for the order that names its command. It takes one, once. */
export interface WaitingProcess {
  /** Whether it said that it is ready; false once it has ended without that. */
  ready: Promise<boolean>
  hasEnded(): boolean
  /** Gives it its order, when it is ready, and follows it to its end. `started` tells whether any of the command ran. */
  run(order: string, options: FollowOptions, onListener?: (listener: Server) => void): Promise<{ result: CommandResult; started: boolean }>
  /** Ends it without an order. */
  discard(): void
}

/** What a waiting process says, a letter at a time: it is ready, its command is about to start; and that all of it ended, with which code. */
const said = { ready: 'r', started: 's', ended: /e(\d+)\n/ }

/** Starts one. It keeps nothing of ours alive while it waits. */
export function startWaiting(argv: readonly [string, ...string[]], options: ChildOptions): WaitingProcess {
  const child = startChild(argv, { ...options, open: options.open ?? [] })
  const talk = child.process.stdio[3 + (options.feeds?.length ?? 0)]
  if (!(talk instanceof Socket)) throw new TypeError('a waiting process has no descriptor to talk on')
  const { channel } = child.process
  const pipes = [child.process, ...(channel ? [channel] : []), ...child.process.stdio.filter((pipe) => pipe instanceof Socket)]
  const listener = Promise.withResolvers<Server>()
  let heard = ''
  let ended = false
  let tellStarted: (() => void) | undefined
  const { promise: ready, resolve: tellReady } = Promise.withResolvers<boolean>()
  const { promise: told, resolve: tellEnd } = Promise.withResolvers<Awaited<Child['ended']>>()
  const end = () => {
    ended = true
    tellReady(heard.includes(said.ready))
  }
  child.process.once('exit', end)
  child.ended.catch(end)
  talk.on('error', () => undefined) // it may end before it has read
  talk.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1')
    if (heard.includes(said.ready)) tellReady(true)
    if (heard.includes(said.started)) tellStarted?.()
    const code = said.ended.exec(heard)?.[1]
    if (code !== undefined) tellEnd({ code: Number(code), signal: null })
  })
  child.process.on('message', (_, handed) => {
    if (handed instanceof Server) listener.resolve(handed.unref())
  })
  setReferenced(pipes, false)
  const outputEnded = () => Promise.all([child.process.stdout, child.process.stderr].map(endOfOutput))

  return {
    ready,
    hasEnded: () => ended,
    run: async (order, follow, onListener) => {
      if (onListener) void listener.promise.then(onListener)
      tellStarted = once(() => connectPipes(child, follow))
      setReferenced(pipes, true)
      void ready.then(() => talk.end(order))
      const result = await followChild({ ...child, ended: Promise.race([child.ended, outputEnded().then(() => told)]) }, follow)
      return { result, started: heard.includes(said.started) }
    },
    discard: () => {
      void listener.promise.then((handed) => handed.close())
      if (!ended) killGroup(child)
    },
  }
}

function once(tell: () => void): () => void {
  let isTold = false
  return () => {
    if (!isTold) tell()
    isTold = true
  }
}

async function endOfOutput(stream: Readable | null): Promise<void> {
  await new Promise((resolve) => stream?.once('end', resolve).once('close', resolve))
}

function setReferenced(pipes: readonly { ref(): unknown; unref(): unknown }[], isReferenced: boolean): void {
  for (const pipe of pipes) {
    if (isReferenced) pipe.ref()
    else pipe.unref()
  }
}
