import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Problem } from '../../domain/problem.ts'
import { nothingInherited } from './inherited.ts'

/** How a process is started. The environment is exactly `env`: nothing is inherited. */
export interface ChildOptions {
  env: Readonly<Record<string, string>>
  cwd?: string
  /** What it reads; null leaves its input open for whoever talks with it. */
  stdin?: string | null
  /** What file descriptors 3, 4, … of the process will read. */
  feeds?: readonly (string | Buffer)[]
  /** The descriptor after the feeds is a way to talk with the process; the ones after that are files that are open here, a channel to hand something out on, or none. */
  open?: readonly (number | 'ipc' | null)[]
}

/** A process that was started, and how it will end. */
export interface Child {
  process: ChildProcess
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** A child that left its group may hold the pipes open after the process is gone; we do not wait for it longer than this. */
const PIPES_GRACE_MS = 500

/** Starts a process in a group of its own, and feeds it. */
export function startChild(argv: readonly [string, ...string[]], options: ChildOptions): Child {
  const [file, ...args] = argv
  const feeds = (options.feeds ?? []).map(() => 'pipe' as const)
  const more = options.open === undefined ? [] : ['pipe' as const, ...options.open.map((passed) => passed ?? ('ignore' as const))]
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: withoutOthers([options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...feeds, ...more]),
    detached: true, // its own process group, so that one kill reaches every child that stayed in it
  })
  const ended = endOf(child, file, options.cwd ?? '.')
  ended.catch(() => undefined) // heard by the one who waits for the end
  feed(child, options)
  return { process: child, ended }
}

/** Ends a process and every child of it that stayed in its group. */
export function killGroup({ process: child }: Child): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // the whole group is gone already
  }
}

/** These descriptors, and nothing in the place of every other that would be passed on. */
function withoutOthers<Passed>(stdio: readonly Passed[]): (Passed | number | 'ignore')[] {
  const nothing = nothingInherited()
  const length = Math.max(stdio.length, ...[...nothing.keys()].map((last) => last + 1))
  return Array.from({ length }, (_, at) => stdio[at] ?? nothing.get(at) ?? 'ignore')
}

function feed(child: ChildProcess, options: ChildOptions): void {
  const texts = [[child.stdin, options.stdin] as const, ...(options.feeds ?? []).map((text, at) => [child.stdio[at + 3], text] as const)]
  for (const [pipe, text] of texts) {
    if (!pipe || !('end' in pipe)) continue
    pipe.on('error', () => undefined) // the process may end without reading what we feed it
    if (text !== null) pipe.end(text)
  }
}

async function endOf(child: ChildProcess, file: string, cwd: string): Child['ended'] {
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
