import type { Command } from '../sandbox.ts'

/** What one command may use up. Memory and CPU time are counted for each of its processes, the number of processes for all. */
export interface CommandLimits {
  memoryBytes: number
  cpuSeconds: number
  processes: number
}

const GIB = 1024 ** 3

export function limitsOf(command: Pick<Command, 'memoryBytes' | 'cpuSeconds'>): CommandLimits {
  return { memoryBytes: command.memoryBytes ?? 8 * GIB, cpuSeconds: command.cpuSeconds ?? 3600, processes: 2048 }
}

/**
 * What a shell does to hold itself and what it becomes to these limits. Inside the sandbox, where the number of processes is counted
 * from zero; shells do not agree on its letter. Memory is limited as private writable memory: limiting address space would stop V8
 * and wasm, which reserve far more than they use.
 */
export function setLimits({ memoryBytes, cpuSeconds, processes }: CommandLimits): string {
  const counted = `{ ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes}; }`
  return `ulimit -d ${Math.floor(memoryBytes / 1024)} && ulimit -t ${cpuSeconds} && ulimit -c 0 && ${counted}`
}
