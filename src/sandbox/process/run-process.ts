import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { Problem } from '../../domain/problem.ts'
import { type BoundedOutput, boundedOutput } from './bounded-output.ts'
import { nothingInherited } from './inherited.ts'
import type { CommandResult } from '../sandbox.ts'

/** How one of our own helpers is run. The environment is exactly `env`: nothing is inherited. */
export interface ProcessOptions {
  env: Readonly<Record<string, string>>
  cwd?: string
  stdin?: string
  /** What file descriptors 3, 4, … of the process will read. */
  feeds?: readonly (string | Buffer)[]
  /** The process says on the descriptor after the feeds that it is ready, and waits there for our answer; this is told before we give it. */
  onReady?: () => void
  /** The descriptors after that one: files that are open here, or none. */
  open?: readonly (number | null)[]
  timeoutMs?: number
  outputBytes?: number
  signal?: AbortSignal
  onOutput?: (chunk: string) => void
}

const OUTPUT_BYTES = 1024 * 1024

/** Reading more than this would keep our own process busy for nobody: what prints so much is stopped. */
export const FLOOD_BYTES = 256 * 1024 * 1024

/** A child that left its group may hold the pipes open after the process is gone; we do not wait for it longer than this. */
const PIPES_GRACE_MS = 500

/** Runs one process without a shell and without a sandbox: for trusted helpers such as git. Never rejects for an exit code. */
export async function runProcess(argv: readonly [string, ...string[]], options: ProcessOptions): Promise<CommandResult> {
  const started = performance.now()
  if (options.signal?.aborted) return { exit_code: null, ended: 'stopped', stdout: '', stderr: '', cut_bytes: 0, took_ms: 0 }
  const child = start(argv, options)
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

  try {
    collect(child, stdout, stderr, options, () => stop('flooded'))
    feed(child, options)
    if (options.onReady) answerGo(child, 3 + (options.feeds?.length ?? 0), options.onReady)
    const { code, signal } = await end(child, argv[0], options.cwd ?? '.')
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

function start(argv: readonly [string, ...string[]], options: ProcessOptions): ChildProcess {
  const [file, ...args] = argv
  const feeds = (options.feeds ?? []).map(() => 'pipe' as const)
  const go = options.onReady ? ['pipe' as const, ...(options.open ?? []).map((passed) => passed ?? ('ignore' as const))] : []
  return spawn(file, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: withoutOthers([options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...feeds, ...go]),
    detached: true, // its own process group, so that one kill reaches every child that stayed in it
  })
}

/** These descriptors, and nothing in the place of every other that would be passed on. */
function withoutOthers<Passed>(stdio: readonly Passed[]): (Passed | number | 'ignore')[] {
  const nothing = nothingInherited()
  const length = Math.max(stdio.length, ...[...nothing.keys()].map((last) => last + 1))
  return Array.from({ length }, (_, at) => stdio[at] ?? nothing.get(at) ?? 'ignore')
}

function collect(child: ChildProcess, stdout: BoundedOutput, stderr: BoundedOutput, options: ProcessOptions, flood: () => void): void {
  const limit = options.outputBytes ?? OUTPUT_BYTES
  const floodLimit = Math.max(FLOOD_BYTES, limit * 4)
  let told = 0
  for (const [stream, output] of [[child.stdout, stdout] as const, [child.stderr, stderr] as const]) {
    const decoder = new StringDecoder('utf8')
    stream?.on('data', (chunk: Buffer) => {
      output.add(chunk)
      if (told < limit) options.onOutput?.(decoder.write(chunk.subarray(0, limit - told)))
      told += chunk.length
      if (stdout.seenBytes() + stderr.seenBytes() > floodLimit) flood()
    })
  }
}

function feed(child: ChildProcess, options: ProcessOptions): void {
  const texts = [[child.stdin, options.stdin] as const, ...(options.feeds ?? []).map((text, at) => [child.stdio[at + 3], text] as const)]
  for (const [pipe, text] of texts) {
    if (!pipe || !('end' in pipe)) continue
    pipe.on('error', () => undefined) // the process may end without reading what we feed it
    pipe.end(text)
  }
}

function answerGo(child: ChildProcess, descriptor: number, onReady: () => void): void {
  const pipe = child.stdio[descriptor]
  if (!pipe || !('end' in pipe)) return
  pipe.on('error', () => undefined) // it may have failed before it was ready
  pipe.once('data', () => {
    onReady()
    pipe.end('go\n')
  })
}

async function end(child: ChildProcess, file: string, cwd: string): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      // The system says of a missing folder only that the program is not there.
      const why = existsSync(cwd) ? cause.message : `there is no folder ${cwd}`
      reject(new Problem('not_found', `${file} could not be started: ${why}`, { cause }))
    })
    child.once('exit', () => setTimeout(() => child.stdio.forEach((stream) => stream?.destroy()), PIPES_GRACE_MS).unref())
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // the whole group is gone already
  }
}
