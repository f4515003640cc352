import { findProgram } from './program.ts'
import type { Command } from './sandbox.ts'

/** What one command may use up. Memory and CPU time are counted for each of its processes, the number of processes for all. */
export interface Limits {
  memoryBytes: number
  cpuSeconds: number
  processes: number
}

const GIB = 1024 ** 3

export function limitsOf(command: Pick<Command, 'memoryBytes' | 'cpuSeconds'>): Limits {
  return { memoryBytes: command.memoryBytes ?? 8 * GIB, cpuSeconds: command.cpuSeconds ?? 3600, processes: 2048 }
}

/**
 * The command with its limits set. Inside the sandbox, where the number of processes is counted from zero.
 * Memory is limited as private writable memory: limiting address space would stop V8 and wasm, which reserve far more than they use.
 */
export function limited(argv: readonly string[], limits: Limits): [string, ...string[]] {
  const { memoryBytes, cpuSeconds, processes } = limits
  const flags = [`--data=${memoryBytes}`, `--cpu=${cpuSeconds}`, `--nproc=${processes}`, '--core=0']
  return [findProgram('prlimit') ?? 'prlimit', ...flags, '--', ...argv]
}
