import child_process from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { Driver } from '../../src/store/driver.ts'

/** A moment at which a process may be killed: just before a write, in the middle of it, just after it. */
export interface Moment {
  at: number
  when: 'before' | 'amid' | 'after'
}

/** Everything this process has written, in its order: transactions, files, and the commands it started. */
export const writes: string[] = []

let deadly: Moment | null = null

/** From now on this process ends itself, as `kill -9` would, at one of its writes. */
export function dieAt(moment: Moment | null): void {
  deadly = moment
}

/** Counts what is written below a folder. To be called before anything else is imported that writes. */
export function countWritesBelow(folder: string): void {
  countInBackground(folder)
  countAtOnce(folder)
  countCommands()
  syncBuiltinESMExports()
}

function countInBackground(folder: string): void {
  const files = fs.promises
  const { writeFile } = files
  for (const name of ['rename', 'rm', 'mkdir', 'copyFile'] as const) {
    // Called with whatever it was called with: only the moment is ours.
    const real = files[name] as (...args: unknown[]) => Promise<unknown>
    const counted = (...args: unknown[]) =>
      isBelow(folder, args[0]) ? write(`${name} ${nameOf(args[0])}`, () => real(...args)) : real(...args)
    Object.assign(files, { [name]: counted })
  }
  const halfFirst: typeof writeFile = (path, data, options) => {
    if (!isBelow(folder, path)) return writeFile(path, data, options)
    const half = typeof data === 'string' ? data.slice(0, data.length / 2) : ''
    return write(
      `writeFile ${nameOf(path)}`,
      () => writeFile(path, data, options),
      () => writeFile(path, half, options),
    )
  }
  Object.assign(files, { writeFile: halfFirst })
}

/** What is written while nothing else can happen in this process. */
function countAtOnce(folder: string): void {
  const { writeFileSync, openSync, closeSync, writeSync } = fs
  const opened = new Map<number, string>()
  for (const name of ['renameSync', 'rmSync', 'mkdirSync'] as const) {
    // Called with whatever it was called with: only the moment is ours.
    const real = fs[name] as (...args: unknown[]) => unknown
    const counted = (...args: unknown[]) =>
      isBelow(folder, args[0]) ? writeNow(`${name} ${nameOf(args[0])}`, () => real(...args)) : real(...args)
    Object.assign(fs, { [name]: counted })
  }
  const halfFirst: typeof writeFileSync = (path, data, options) => {
    if (!isBelow(folder, path)) return writeFileSync(path, data, options)
    const half = typeof data === 'string' ? data.slice(0, data.length / 2) : ''
    const whole = () => writeFileSync(path, data, options)
    return writeNow(`writeFileSync ${nameOf(path)}`, whole, () => writeFileSync(path, half, options))
  }
  const remembered: typeof openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest)
    if (rest[0] === 'r+' && isBelow(folder, path)) opened.set(fd, nameOf(path))
    return fd
  }
  const forgotten: typeof closeSync = (fd) => {
    opened.delete(fd)
    closeSync(fd)
  }
  const torn = (fd: number, buffer: Buffer, from: number, length: number | undefined, at: number) => {
    const name = opened.get(fd)
    if (name === undefined) return writeSync(fd, buffer, from, length, at)
    const half = () => writeSync(fd, buffer, from, Math.ceil(buffer.length / 2), at)
    return writeNow(`append ${name}`, () => writeSync(fd, buffer, from, length, at), half)
  }
  Object.assign(fs, { writeFileSync: halfFirst, openSync: remembered, closeSync: forgotten, writeSync: torn })
}

/** A driver whose transactions are counted too. */
export function countTransactions(driver: Driver): Driver {
  const transaction: Driver['transaction'] = (all) =>
    write('transaction', (amid) =>
      driver.transaction(async (tx) => {
        const result = await all(tx)
        amid()
        return result
      }),
    )
  const query: Driver['query'] = async (sql, params) =>
    /^(insert|update|delete)/.test(sql) ? transaction((tx) => tx.query(sql, params)) : driver.query(sql, params)
  return { ...driver, transaction, query }
}

/** Git commands that only read are no writes. */
const readers = new Set([
  'rev-parse',
  'config',
  'diff',
  'diff-tree',
  'status',
  'ls-tree',
  'worktree list',
  'rev-list',
  'merge-base',
  'check-ref-format',
  'symbolic-ref',
])

/** A command goes on when we die amid it; what that leaves behind is for the next process to meet. */
function countCommands(): void {
  const { spawn } = child_process
  const counted = (...args: Parameters<typeof spawn>) => {
    const label = commandOf(args[0], args[1])
    if (label === null) return spawn(...args)
    const point = begin(label)
    const child = spawn(...args)
    dieIf(point, 'amid')
    child.prependOnceListener('close', () => dieIf(point, 'after'))
    return child
  }
  Object.assign(child_process, { spawn: counted })
}

/** Null for what only looks: git that reads, and trying out which sandbox there is, which a process does once. */
function commandOf(file: string, argv: readonly string[]): string | null {
  if (!file.endsWith('/git')) return argv.some((arg) => arg.includes('job-agent')) ? 'the agent' : null
  const verb = argv[0] === 'worktree' ? `worktree ${argv[1]}` : (argv[0] ?? '')
  return readers.has(verb) ? null : `git ${verb}`
}

async function write<Result>(label: string, whole: (amid: () => void) => Promise<Result>, half?: () => Promise<unknown>): Promise<Result> {
  const point = begin(label)
  if (half && isDeadly(point, 'amid')) await half()
  if (half) dieIf(point, 'amid')
  const result = await whole(() => dieIf(point, 'amid'))
  dieIf(point, 'after')
  return result
}

function writeNow<Result>(label: string, whole: () => Result, half?: () => unknown): Result {
  const point = begin(label)
  if (half && isDeadly(point, 'amid')) half()
  if (half) dieIf(point, 'amid')
  const result = whole()
  dieIf(point, 'after')
  return result
}

function begin(label: string): number {
  const point = writes.push(label)
  dieIf(point, 'before')
  return point
}

function isDeadly(point: number, when: Moment['when']): boolean {
  return deadly?.at === point && deadly.when === when
}

function dieIf(point: number, when: Moment['when']): void {
  if (isDeadly(point, when)) process.kill(process.pid, 'SIGKILL')
}

function isBelow(folder: string, path: unknown): boolean {
  return typeof path === 'string' && path.startsWith(folder)
}

function nameOf(path: unknown): string {
  return (
    String(path)
      .split('/')
      .at(-1)
      ?.replace(/[0-9a-f-]{36}/, '…') ?? ''
  )
}
