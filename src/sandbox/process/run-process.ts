import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { type BoundedOutput, boundedOutput } from './bounded-output.ts'
import { type Child, type ChildOptions, killGroup, startChild } from './child.ts'
import type { CommandResult } from '../sandbox.ts'

/** How far a process may go, and who hears of it. */
export interface FollowOptions {
  timeoutMs?: number
  outputBytes?: number
  heardBytes?: number
  signal?: AbortSignal
  onOutput?: (chunk: string) => void
  /** Is given what it reads and prints, once it runs. What it prints is then neither kept nor counted; what it writes to its error output is. */
  onPipes?: (pipes: Pipes) => void
}

/** The open ends of a process that somebody talks with. */
export interface Pipes {
  stdin: Writable
  stdout: Readable
}

/** How one of our own helpers is run. */
export type ProcessOptions = Omit<ChildOptions, 'feeds' | 'open'> & FollowOptions

const OUTPUT_BYTES = 1024 * 1024

/** Reading more than this would keep our own process busy for nobody: what prints so much is stopped. */
export const FLOOD_BYTES = 256 * 1024 * 1024

/** Runs one process without a shell and without a sandbox: for trusted helpers such as git. Never rejects for an exit code. */
export async function runProcess(argv: readonly [string, ...string[]], options: ProcessOptions): Promise<CommandResult> {
  if (options.signal?.aborted) return { exit_code: null, ended: 'stopped', stdout: '', stderr: '', cut_bytes: 0, took_ms: 0 }
  const child = startChild(argv, options)
  connectPipes(child, options)
  return followChild(child, options)
}

/** Hands out what a process reads and prints. Not before it runs: what was written to a sandbox that could not be built is lost. */
export function connectPipes({ process: { stdin, stdout } }: Child, { onPipes }: FollowOptions): void {
  if (stdin !== null && stdout !== null) onPipes?.({ stdin, stdout })
}

/** Collects what a process prints until it ends, and ends it where it goes too far, with its whole group. */
export async function followChild(child: Child, options: FollowOptions): Promise<CommandResult> {
  const started = performance.now()
  const stdout = boundedOutput(options.outputBytes ?? OUTPUT_BYTES)
  const stderr = boundedOutput(options.outputBytes ?? OUTPUT_BYTES)
  let ended: CommandResult['ended'] = 'exited'
  const stop = (why: CommandResult['ended']) => {
    if (ended === 'exited') ended = why
    killGroup(child)
  }
  const onAbort = () => stop('stopped')
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timed_out'), options.timeoutMs)
  options.signal?.addEventListener('abort', onAbort, { once: true })
  if (options.signal?.aborted) onAbort()

  try {
    collect(child, stdout, stderr, options, () => stop('flooded'))
    const { code, signal } = await child.ended
    if (signal !== null && ended === 'exited') ended = 'killed'
    return {
      exit_code: code,
      ended,
      stdout: stdout.text(),
      stderr: stderr.text(),
      cut_bytes: stdout.cutBytes() + stderr.cutBytes(),
      took_ms: performance.now() - started,
    }
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', onAbort)
    killGroup(child)
  }
}

function collect(child: Child, stdout: BoundedOutput, stderr: BoundedOutput, options: FollowOptions, flood: () => void): void {
  const limit = options.outputBytes ?? OUTPUT_BYTES
  const heard = options.heardBytes ?? limit
  const floodLimit = Math.max(FLOOD_BYTES, limit * 4)
  let told = 0
  const collected = [...(options.onPipes ? [] : [[child.process.stdout, stdout] as const]), [child.process.stderr, stderr] as const]
  for (const [stream, output] of collected) {
    const decoder = new StringDecoder('utf8')
    stream?.on('data', (chunk: Buffer) => {
      output.add(chunk)
      if (told < heard) options.onOutput?.(decoder.write(chunk.subarray(0, heard - told)))
      told += chunk.length
      if (stdout.seenBytes() + stderr.seenBytes() > floodLimit) flood()
    })
  }
}
