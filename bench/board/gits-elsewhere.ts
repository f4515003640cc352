import childProcess, { type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A git to be run, as one line. */
export interface Asked {
  id: number
  file: string
  args: string[]
  cwd: string
  env: Record<string, string>
  stdin: string
}

/** What came of it. */
export interface Answered {
  id: number
  code: number | null
  error: string | null
  stdout: string
  stderr: string
}

type Spawn = typeof childProcess.spawn
const { spawn } = childProcess

/**
 * Has a small process start every git, so that what is left is our own work and handing them over. Around `spawn` alone no clock
 * tells it: a process that has started another meets a page fault at each page that it touches next.
 */
export function gitsElsewhere() {
  const starter = spawn(process.execPath, [join(import.meta.dirname, 'git-starter.ts')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const open = new Map<number, EventEmitter & ReturnType<typeof streams>>()
  const told = { gits: 0 }

  createInterface({ input: starter.stdout }).on('line', (line) => {
    const { id, code, error, stdout, stderr } = JSON.parse(line) as Answered // git-starter.ts wrote it
    const git = open.get(id)
    open.delete(id)
    if (error !== null) return git?.emit('error', new Error(error))
    if (stdout !== '') git?.stdout.emit('data', Buffer.from(stdout))
    if (stderr !== '') git?.stderr.emit('data', Buffer.from(stderr))
    return git?.emit('close', code, null)
  })

  function ask(file: string, args: string[], options: Pick<Asked, 'cwd' | 'env'>): ChildProcess {
    const id = ++told.gits
    const send = (stdin = '') => starter.stdin.write(`${JSON.stringify({ id, file, args, cwd: options.cwd, env: options.env, stdin })}\n`)
    const git = Object.assign(new EventEmitter(), streams(send)) // sent once its input is given, which may be none
    open.set(id, git)
    return git as unknown as ChildProcess // the members that sandbox/run-process.ts uses; it kills nothing that has no pid
  }

  replaceSpawn(Object.assign(ask as unknown as Spawn, {})) // all our gits are started with these three arguments
  return {
    told,
    stop: () => {
      replaceSpawn(spawn)
      starter.stdin.end()
    },
  }
}

function streams(send: (stdin?: string) => void) {
  const stdout = Object.assign(new EventEmitter(), { destroy: () => undefined })
  const stderr = Object.assign(new EventEmitter(), { destroy: () => undefined })
  const stdin = Object.assign(new EventEmitter(), { destroy: () => undefined, end: send })
  return { stdin, stdout, stderr, stdio: [stdin, stdout, stderr] }
}

/** Every module that starts processes sees the replacement. */
export function replaceSpawn(replacement: Spawn): void {
  childProcess.spawn = replacement
  syncBuiltinESMExports()
}

/** Processor time of this thread. Linux brings it up to date only now and then: it says nothing of what takes less than some milliseconds. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
