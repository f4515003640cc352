import type { Readable, Writable } from 'node:stream'
import { Problem } from '../domain/problem.ts'
import type { Pipes } from './process/run-process.ts'
import { runCommand } from './run-command.ts'
import type { Command, CommandResult, SandboxState } from './sandbox.ts'

/** A command that somebody talks with while it runs. */
export interface OpenProcess {
  stdin: Writable
  stdout: Readable
  /** The last of what it wrote to its error output. */
  stderrTail(): string
  /** How it ended, once it has; everything it started is gone by then. */
  ended: Promise<CommandResult>
  /** Ends it, and comes back when nothing of it is left. */
  stop(): Promise<void>
}

const TAIL_CHARS = 4000

/**
 * Starts a command in the sandbox its access asks for and comes back once it runs, with its input and output open. All that holds for
 * `runCommand` holds for it, refusals included; whoever talks with it sets their own limit to what they read.
 */
export async function openProcess(command: Command, sandbox: SandboxState): Promise<OpenProcess> {
  const stopping = new AbortController()
  const signal = command.signal === undefined ? stopping.signal : AbortSignal.any([stopping.signal, command.signal])
  const opened = Promise.withResolvers<Pipes>()
  let tail = ''
  const onOutput = (chunk: string) => {
    tail = (tail + chunk).slice(-TAIL_CHARS)
    command.onOutput?.(chunk)
  }
  const ended = runCommand({ ...command, stdin: null, signal, heardBytes: Infinity, onOutput, onPipes: opened.resolve }, sandbox)
  ended.then((result) => opened.reject(neverRan(command, result)), opened.reject)
  const { stdin, stdout } = await opened.promise
  const stop = async () => {
    stopping.abort()
    await ended.catch(() => undefined)
  }
  return { stdin, stdout, stderrTail: () => tail, ended, stop }
}

function neverRan({ argv }: Command, { ended, stderr }: CommandResult): Problem {
  if (ended === 'stopped') return new Problem('stopped', `${argv[0]} was stopped before it ran`)
  return new Problem('not_found', `${argv[0]} ended before it ran: ${stderr.trim().slice(-500) || ended}`)
}
